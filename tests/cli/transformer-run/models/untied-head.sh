# transformers 5 writes of every T5 that its head is tied; one that it does not scale is the file's own, if there is one.
cp -R "$CONFORMANCE/models/t5-gated" m
run() { transformer-run -m m --ids 1x4xi64=5,6,7,13 --decoder-ids 1x3xi64=0,8,9 --emit logits --quiet -f -o "$1"; }
run own.h5
cp m/config.json plain.json
sed 's/"tie_word_embeddings": false/"tie_word_embeddings": true/' plain.json >m/config.json
run said.h5
tdiff own.h5:/logits said.h5:/logits && echo "its own head"
# The head goes to a name that nobody looks for: the table takes its place, and does not where it must not.
mv m/model.safetensors all.safetensors
nobody=decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight
tconv all.safetensors --rename "lm_head.weight=$nobody" -o m/model.safetensors
run shared.h5
tdiff own.h5:/logits shared.h5:/logits >/dev/null || echo "the table"
cp plain.json m/config.json
run shared.h5 2>&1 | cut -d ' ' -f 4-7
