# The mask is the token that the folder names so, in any of its files, for answers and for training.
. "$SUPPORT/try.sh"
cp -R "$CONFORMANCE/models/bert-masked-lm" m
cp "$FIXTURES/words/tokenizer.json" m
transformer-run -m m --best 2 'the [MASK] is here' >answers
sed 's/\[MASK\]/<|mask|>/g' "$FIXTURES/words/tokenizer.json" >m/tokenizer.json
masked() { transformer-run -m m --best 2 'the <|mask|> is here' | cmp - answers; }
try transformer-run -m m 'the <|mask|> is here'
echo '{"mask_token": "<|mask|>"}' >m/tokenizer_config.json
masked
echo '{"mask_token": {"content": "<|mask|>", "lstrip": false, "special": true}}' >m/tokenizer_config.json
masked
rm m/tokenizer_config.json
echo '{"mask_token": "<|mask|>"}' >m/special_tokens_map.json
masked
transformer-train -m m --data answers --after 1u --quiet -o trained && ls trained
rm m/special_tokens_map.json
# A token with a usual name has no say beside the role; a name without a token is told.
echo '{"mask_token": "man"}' >m/tokenizer_config.json
cp "$FIXTURES/words/tokenizer.json" m
try transformer-run -m m 'the [MASK] is here'
echo '{"mask_token": "<none>"}' >m/tokenizer_config.json
try transformer-run -m m 'the [MASK] is here'
