# Any number of threads gives the same lines in the same order.
cut -f 1 "$EXAMPLES/dates/heldout.tsv" >x
tokenize -m "$EXAMPLES/dates" -t 1 x >a
tokenize -m "$EXAMPLES/dates" -t 3 x >b
cmp a b
