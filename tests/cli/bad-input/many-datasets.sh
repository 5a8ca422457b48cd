# A model's file has too many datasets for a line: what was probably meant, and where the rest stands.
model=$EXAMPLES/dates/model.safetensors
for name in embeding transformer.encoder.layers.0.self_atn nothing; do
  printf '1,2\n' | embed -w "$model:/$name" 2>&1 | sed "s|$EXAMPLES/||"
done
# A group where a tensor is wanted.
attend -q "$model:/embedding" 2>&1 | sed "s|$EXAMPLES/||"
