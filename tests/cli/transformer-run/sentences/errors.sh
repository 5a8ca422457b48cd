# What a folder of sentence-transformers asks for and is not supported is refused by name.
. "$SUPPORT/sentences.sh"
. "$SUPPORT/try.sh"
pooling
vectors() { transformer-run -m m "$@" <lines; }

# Prompts are of such folders, and of texts.
modules
echo '{"prompts": {"query": "who ", "passage": ""}, "default_prompt_name": "query"}' >m/config_sentence_transformers.json
try vectors --prompt other
cp -R m by-hand
rm by-hand/modules.json
try transformer-run -m by-hand --prompt query man
try transformer-run -m m --prompt query --ids 1x3xi64=2,7,3 -o y.h5

# Modules: a linear map, and others.
modules Dense
try vectors
mkdir m/2_Dense
dense() { # [FIELDS]
  echo "{\"in_features\": 32, \"out_features\": 4${1:+, $1}}" >m/2_Dense/config.json
  vectors
}
try dense '"activation_function": "torch.nn.Wave"'
try dense '"use_residual": true'
try dense
modules CNN
try vectors
echo '[{"type": 3}]' >m/modules.json
try vectors
modules
sed 's/"[a-z_.]*Transformer"/"custom_st.Transformer"/' m/modules.json >other && cp other m/modules.json
try vectors
# Poolings.
modules
pooling '"pooling_mode": "best"'
try vectors
rm m/1_Pooling/config.json
try vectors
pooling

# Settings of each of its files that would change the vectors, and are not supported.
says() { # FILE JSON
  mv "m/$1" kept 2>/dev/null
  echo "$2" >"m/$1"
  vectors
  code=$?
  rm "m/$1" && mv kept "m/$1" 2>/dev/null
  return $code
}
modules
try says config_sentence_transformers.json '{"model_type": "SparseEncoder"}'
try says config_sentence_transformers.json '{"query_prefix": "[Q] "}'
try says config_sentence_transformers.json '{"prompts": {"query": 3}}'
try says sentence_bert_config.json '{"transformer_task": "fill-mask"}'
try says sentence_bert_config.json '{"modality_config": {"text": {"method": "forward", "method_output_name": "pooler_output"}}}'
try says sentence_bert_config.json '{"modality_config": {"message": {"method": "forward", "method_output_name": "last_hidden_state"}}}'
try says sentence_bert_config.json '{"model_args": {"torch_dtype": "float16", "num_hidden_layers": 1}}'
try says sentence_bert_config.json '{"query_length": 32}'
try says config_sentence_transformers.json '{"truncate_dim": 16}'
try says modules.json '[{"idx": 0, "name": "0", "path": "", "type": "custom_st.Transformer"}]'
try says modules.json '[{"path": "", "type": "sentence_transformers.models.Transformer", "kwargs": ["task"]}]'
modules Normalize
mkdir -p m/2_Normalize
try says 2_Normalize/config.json '{"module_input_name": "token_embeddings"}'
# Fewer coordinates than vectors have, and one prompt.
try vectors --dimensions 33
try vectors --dimensions 0
try vectors --prompt query --prompt-text 'who '
cp -R "$EXAMPLES/dates" .
try transformer-run -m dates --prompt-text 'who ' '3 mars 2021'
