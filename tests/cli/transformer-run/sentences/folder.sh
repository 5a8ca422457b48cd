# A folder of sentence-transformers makes vectors as its files say: pooling, length 1, number of tokens; options override
# what they name.
. "$SUPPORT/sentences.sh"
vectors() { transformer-run -m m "$@" <lines; }
same() { # OPTION...: without the list of modules, these options give the same
  vectors >own
  rm -rf by-hand
  cp -R m by-hand
  rm by-hand/modules.json
  transformer-run -m by-hand "$@" <lines | cmp - own || echo "differs: $*"
}

# A transformer, a pooling, length 1.
modules Normalize
pooling '"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false'
echo '{"max_seq_length": 6, "do_lower_case": false}' >m/sentence_bert_config.json
same --pool cls --normalize --max-length 6
vectors -O csv --no-header | tr , '\t' | cmp - own
vectors --emit hidden_states -o states.h5
tconv --list states.h5 | sed 1d
# Options override.
vectors --max-length 0 >own
transformer-run -m by-hand --pool cls --normalize <lines | cmp - own
vectors --pool max --emit pooled -o own.h5
transformer-run -m by-hand --pool max --normalize --max-length 6 --emit pooled -o expected.h5 <lines
tdiff own.h5:/pooled expected.h5:/pooled --strict

# Each pooling.
modules
same --pool cls --max-length 6
pooling
same --pool mean --max-length 6
pooling '"pooling_mode": "lasttoken"'
same --pool last --max-length 6
pooling '"pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": false'
same --pool max --max-length 6
# Several are joined, in the order in which sentence-transformers has them.
pooling '"pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": true'
vectors >own
for how in max mean; do transformer-run -m by-hand --pool $how --max-length 6 <lines >$how; done
paste max mean | cmp - own

# The number of tokens, where the tokenizer has one, or a number that means none.
pooling '"pooling_mode_max_tokens": true, "pooling_mode_mean_tokens": false'
rm m/sentence_bert_config.json
same --pool max
echo '{"model_max_length": 4}' >m/tokenizer_config.json
same --pool max --max-length 4
echo '{"model_max_length": 1000000000000000019884624838656}' >m/tokenizer_config.json
same --pool max

# Another head in the weights is not asked.
sed -i 's/"BertModel"/"BertForMaskedLM"/' m/config.json
vectors | cmp - own
# An old folder keeps the model in one of its own.
mkdir -p old/0_BERT
cp -R m/1_Pooling old
cp m/config.json m/model.safetensors m/tokenizer.json old/0_BERT
sed 's/"path": ""/"path": "0_BERT"/' m/modules.json >old/modules.json
transformer-run -m old <lines | cmp - own

# Lower case.
pooling '"pooling_mode": ["mean"]'
echo '{"do_lower_case": true}' >m/sentence_bert_config.json
tr a-z A-Z <lines | transformer-run -m m >own
transformer-run -m by-hand <lines | cmp - own

# Prompts: the default one, and one by name.
echo '{"prompts": {"query": "who ", "passage": ""}, "default_prompt_name": "query"}' >m/config_sentence_transformers.json
vectors >own
sed 's/^/who /' lines | transformer-run -m by-hand | cmp - own
vectors --prompt passage >own
transformer-run -m by-hand <lines | cmp - own
# A prompt that is not pooled: the mean over the tokens after it.
pooling '"include_prompt": false, "pooling_mode_mean_tokens": true'
transformer-run -m m --emit encoder -o y.h5 man
tconv 'y.h5:/encoder[:,2:]' -O npy -o after.npy
attend -q 1x1xf32=0 -k 2x1xf32=0,0 -v after.npy --score dot -o mean.h5
tdiff mean.h5 y.h5:/y --rtol 0 --atol 1e-6
# A prompt that is null is none, as the versions since 5.4 write it; one that is no name is given as it is.
pooling
echo '{"prompts": {"query": null, "passage": "who "}, "model_type": "SentenceTransformer"}' >m/config_sentence_transformers.json
transformer-run -m by-hand <lines >own
for prompt in '' '--prompt query'; do vectors $prompt | cmp - own; done
vectors --prompt passage >own
vectors --prompt-text 'who ' | cmp - own
transformer-run -m by-hand --prompt-text 'who ' <lines | cmp - own

# The first coordinates of vectors; of those that have length 1, they get it again.
tr '\t' , <own >own.csv
vectors --prompt passage --dimensions 5 | tr '\t' , | tdiff - own.csv:/0,1,2,3,4 --rtol 0 --atol 0
modules Normalize
vectors --prompt passage --dimensions 5 -o short.h5
attend --score dot --emit scores -q short.h5 -k short.h5 -v short.h5 -o products.h5
tconv products.h5:/scores -O csv --no-header | awk -F , '{ d = $NR - 1; print (d * d < 1e-12) }'
transformer-run -m by-hand --prompt-text 'who ' --normalize --dimensions 5 <lines -o same.h5
tdiff short.h5 same.h5 --strict
awk -F , '{ s = sqrt($1^2 + $2^2 + $3^2 + $4^2 + $5^2); print $1 / s "," $2 / s "," $3 / s "," $4 / s "," $5 / s }' own.csv |
  tdiff - short.h5 --rtol 0 --atol 1e-5
