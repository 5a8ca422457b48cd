# Weights of 16 bits are computed with in f32, by the stages as by the model: the same answer, and its tensors bit for
# bit.
mkdir dates
cp "$EXAMPLES"/*.sh .
cp "$EXAMPLES/dates/config.json" "$EXAMPLES/dates/tokenizer.json" dates
for dtype in bf16 f16; do
  tconv "$EXAMPLES/dates/model.safetensors" --dtype $dtype -f -o dates/model.safetensors
  ./dates.sh "3 mars 2021" .
  transformer-run -m dates --emit encoder,logits -f -o whole.h5 "3 mars 2021"
  tdiff whole.h5:/encoder memory.h5 --strict
  tdiff whole.h5:/logits logits.h5 --strict
done
