# All lines become ids and the same lines again, but for case.
cut -f 1 "$EXAMPLES/dates/heldout.tsv" | tr A-Z a-z >x
tokenize -m "$EXAMPLES/dates" x | tokenize -m "$EXAMPLES/dates" --decode | diff - x
