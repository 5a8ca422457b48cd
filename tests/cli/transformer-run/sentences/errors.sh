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
