# tokenizer.model is Llama's, whatever class is named: what stands around a text, and where spaces do.
. "$SUPPORT/tokenizers.sh"
llama() { # SETTINGS
  ids llama/tokenizer.model tokenizer_config.json "$1" " a<s>the"
}
try llama '{}'
begin='"tokenizer_class": "LlamaTokenizer", "add_bos_token": true'
try llama "{$begin}"
try llama "{$begin, \"legacy\": true}"
try llama "{$begin, \"add_prefix_space\": false}"
try llama "{$begin, \"bos_token\": null}"
try llama "{$begin, \"add_eos_token\": true}"
try llama "{$begin, \"add_eos_token\": true, \"eos_token\": \"<end>\"}"
try llama '{"tokenizer_class": "LlamaTokenizer", "add_bos_token": false}'

folder llama/tokenizer.model '' ''
printf 'the\ta\n' | tokenize -m m --pair --json | grep -o '"type_ids":[^]]*'
printf 'the é\n a\n' | try tokenize -m m --offsets
printf 'the\na b\n' | try tokenize -m m -O csv
printf '1 276 263 310\n276 263 198 172\n276 276 263\n' | try tokenize -m m --decode
