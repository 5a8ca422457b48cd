# The model written out as a pipeline of stages gives transformer-run's answer, and its tensors bit for bit.
for text in "3 mars 2021" "Monday, Dec 8, 2092"; do
  "$EXAMPLES/dates.sh" "$text" .
  transformer-run -m "$EXAMPLES/dates" --emit encoder,logits -f -o whole.h5 "$text"
  tdiff whole.h5:/encoder memory.h5 --rtol 0 --atol 0
  tdiff whole.h5:/logits logits.h5 --rtol 0 --atol 0
done
# In f64 too, which the first stage asks for and the others go on in.
m=$EXAMPLES/dates w=$EXAMPLES/dates/model.safetensors
printf '3 mars 2021\n' | tokenize -m "$m" -O h5 | embed -w "$w:/embedding" --dtype f64 | posenc |
  "$EXAMPLES/encoder-layer.sh" "$w:/transformer.encoder.layers.0" |
  "$EXAMPLES/encoder-layer.sh" "$w:/transformer.encoder.layers.1" |
  addnorm --no-residual -w "$w:/transformer.encoder.norm" -o wide.h5
transformer-run -m "$m" --emit encoder --dtype f64 -f -o whole.h5 "3 mars 2021"
tdiff whole.h5:/encoder wide.h5
