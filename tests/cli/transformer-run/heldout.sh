# 100 dates that training never saw come out as they should, in order, in one call.
cut -f 1 "$EXAMPLES/dates/heldout.tsv" | transformer-run -m "$EXAMPLES/dates" >answers
cut -f 3 "$EXAMPLES/dates/heldout.tsv" | cmp - answers
