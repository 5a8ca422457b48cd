# The model written out as a pipeline of stages gives transformer-run's answer, and its tensors bit for bit.
for text in "3 mars 2021" "Monday, Dec 8, 2092"; do
  "$EXAMPLES/dates.sh" "$text" .
  transformer-run -m "$EXAMPLES/dates" --emit encoder,logits -f -o whole.h5 "$text"
  tdiff whole.h5:/encoder memory.h5 --rtol 0 --atol 0
  tdiff whole.h5:/logits logits.h5 --rtol 0 --atol 0
done
