# A folder of Llama with tokenizer.model, as Llama 2 was published: texts are read and written through it.
cp -r "$CONFORMANCE/models/llama" m
chmod -R u+w m
rm m/tokenizer.json
cp "$CONFORMANCE/tokenizers/llama/tokenizer.model" m
sed -i 's/"bos_token_id": 0/"bos_token_id": 1/; s/"eos_token_id": 242/"eos_token_id": 2/; s/"pad_token_id": 1/"pad_token_id": 0/' \
  m/*.json
text="the copyright holder é"
transformer-run -m m --task log-probabilities --precision 3 "$text"
transformer-run -m m --max-new-tokens 8 "$text"
# The same ids by way of tokenize.
echo "$text" | tokenize -m m -o ids.h5
transformer-run -m m --ids ids.h5 --max-new-tokens 8 -o of-ids.h5
transformer-run -m m --max-new-tokens 8 -o of-text.h5 "$text"
tdiff of-text.h5 of-ids.h5
tokenize -m m --decode --ids of-ids.h5
