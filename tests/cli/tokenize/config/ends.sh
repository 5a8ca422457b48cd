# The template of tokenizer.json counts, and a note says where tokenizer_config.json disagrees with it. What transformers
# obeys and is not done here is refused.
. "$SUPPORT/try.sh"
mkdir m && echo the man >lines
cp "$FIXTURES/words/tokenizer.json" both.json
sed 's/"post_processor": {/"post_processor": null, "unused": {/' both.json >none.json
for file in both none; do
  cp $file.json m/tokenizer.json
  for settings in '"add_bos_token": true, "add_eos_token": true' '"add_bos_token": false, "add_eos_token": false' \
    '"add_eos_token": null'; do
    echo "{$settings}" | tee m/tokenizer_config.json
    try tokenize -m m lines
  done
done
for settings in '"split_special_tokens": true' '"split_special_tokens": false' \
  '"fast_tokenizer_files": ["tokenizer.4.0.json", "tokenizer.json"]'; do
  echo "{$settings}" | tee m/tokenizer_config.json
  try tokenize -m m lines
done
