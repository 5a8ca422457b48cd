# However lines are batched and whatever the threads, the answers are the same.
cut -f 1 "$EXAMPLES/dates/heldout.tsv" | head -n 20 >lines
transformer-run -m "$EXAMPLES/dates" --emit logits -o all.h5 <lines
for options in "--batch 1" "--batch 7 -t 1" "--batch 100 -t 3"; do
  transformer-run -m "$EXAMPLES/dates" $options <lines >answers
  head -n 20 "$EXAMPLES/dates/heldout.tsv" | cut -f 3 | cmp - answers
done
