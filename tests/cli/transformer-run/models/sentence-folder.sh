# A folder of sentence-transformers makes vectors as its files say: pooling, length 1, number of tokens; options override
# what they name. What is not supported is named.
cp -R "$CONFORMANCE/models/bert" m
cp "$FIXTURES/words/tokenizer.json" m
printf 'the man\nthe man is in Paris and the woman went to London\n' >lines
module() { echo "{\"idx\": $1, \"name\": \"$1\", \"path\": \"$2\", \"type\": \"sentence_transformers.models.$3\"}"; }
pooling() { mkdir -p m/1_Pooling && echo "{\"word_embedding_dimension\": 32$1}" >m/1_Pooling/config.json; }
modules() { echo "[$(module 0 '' Transformer), $(module 1 1_Pooling Pooling)$1]" >m/modules.json; }
same() { # OPTION...: as with these, the folder's files put aside
  transformer-run -m m <lines >own
  rm -rf by-hand && cp -R m by-hand && rm by-hand/modules.json
  transformer-run -m by-hand "$@" <lines >expected && cmp own expected && echo "$*"
}
modules ", $(module 2 2_Normalize Normalize)"
echo '{"max_seq_length": 6, "do_lower_case": false}' >m/sentence_bert_config.json
pooling ', "pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false'
same --pool cls --normalize --max-length 6
transformer-run -m m --quiet -O csv --no-header <lines | tr , '\t' | cmp - own
transformer-run -m m --quiet --emit hidden_states -o states.h5 <lines && tconv --list states.h5 | sed 1d
transformer-run -m m --max-length 0 <lines >own
transformer-run -m by-hand --pool cls --normalize <lines | cmp - own
transformer-run -m m --pool max --emit pooled <lines | tconv -:/pooled -O csv --no-header >own
transformer-run -m by-hand --pool max --normalize --max-length 6 --emit pooled <lines | tconv -:/pooled -O csv --no-header | cmp - own
modules ''
same --pool cls --max-length 6
pooling '' && same --pool mean --max-length 6
pooling ', "pooling_mode": "lasttoken"' && same --pool last --max-length 6
pooling ', "pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": false' && same --pool max --max-length 6
rm m/sentence_bert_config.json && same --pool max
echo '{"model_max_length": 4}' >m/tokenizer_config.json && same --pool max --max-length 4
echo '{"model_max_length": 1000000000000000019884624838656}' >m/tokenizer_config.json && same --pool max
# Another head in the weights is not asked.
sed 's/"BertModel"/"BertForMaskedLM"/' m/config.json >config.json && cp config.json m && transformer-run -m m <lines | cmp - own
# An old folder keeps the model in one of its own.
mkdir -p old/0_BERT && cp -R m/1_Pooling old && cp m/config.json m/model.safetensors m/tokenizer.json old/0_BERT
sed 's/"path": ""/"path": "0_BERT"/' m/modules.json >old/modules.json && transformer-run -m old <lines | cmp - own
# Several poolings are joined, in the order in which sentence-transformers has them, before what follows.
pooling ', "pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": true' && modules '' && transformer-run -m m <lines >own
for how in max mean; do transformer-run -m by-hand --pool $how <lines >$how; done
paste max mean | cmp - own
# Lower case, and prompts: the default one, one by name, and none of that name.
echo '{"do_lower_case": true}' >m/sentence_bert_config.json && pooling ', "pooling_mode": ["mean"]'
tr a-z A-Z <lines | transformer-run -m m >own
transformer-run -m by-hand <lines | cmp - own
echo '{"prompts": {"query": "who ", "passage": ""}, "default_prompt_name": "query"}' >m/config_sentence_transformers.json
transformer-run -m m <lines >own
sed 's/^/who /' lines | transformer-run -m by-hand | cmp - own
transformer-run -m m --prompt passage <lines >own
transformer-run -m by-hand <lines | cmp - own
transformer-run -m m --prompt other <lines || echo $?
transformer-run -m by-hand --prompt query <lines || echo $?
transformer-run -m m --prompt query --ids 1x3xi64=2,7,3 -o y.h5 || echo $?
# A prompt that is not pooled: the mean over the tokens after it.
pooling ', "include_prompt": false, "pooling_mode_mean_tokens": true' && transformer-run -m m --emit encoder -f -o y.h5 man
tconv 'y.h5:/encoder[:,2:]' -O npy | attend -q 1x1xf32=0 -k 2x1xf32=0,0 -v - --score dot -O npy | tdiff - y.h5:/y --rtol 0 --atol 1e-6
# What is not known is refused by name.
modules ", $(module 2 2_Dense Dense)" && transformer-run -m m <lines || echo $?
mkdir m/2_Dense && echo '{"in_features": 32, "out_features": 4, "activation_function": "torch.nn.Wave"}' >m/2_Dense/config.json
transformer-run -m m <lines || echo $?
echo '{"in_features": 32, "out_features": 4, "use_residual": true}' >m/2_Dense/config.json && transformer-run -m m <lines || echo $?
echo '{"in_features": 32, "out_features": 4}' >m/2_Dense/config.json && transformer-run -m m <lines || echo $?
modules ", $(module 2 2_CNN CNN)" && transformer-run -m m <lines || echo $?
modules '' && pooling ', "pooling_mode": "best"' && transformer-run -m m <lines || echo $?
rm m/1_Pooling/config.json && transformer-run -m m <lines || echo $?
echo '[{"type": 3}]' >m/modules.json && transformer-run -m m <lines || echo $?
