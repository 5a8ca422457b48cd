# What is named beside a vocabulary: special tokens, and tokens that were added later; ids as transformers 5.23 gives.
. "$SUPPORT/tokenizers.sh"

# special_tokens_map.json gives the roles of a vocabulary other names.
sed 's/^\[UNK\]$/<unk>/; s/^\[CLS\]$/<s>/; s/^\[SEP\]$/<end>/; s/^\[MASK\]$/<mask>/; s/^\[PAD\]$/<pad>/' \
  "$CONFORMANCE/tokenizers/bert-uncased/vocab.txt" >m/vocab.txt
cat >m/special_tokens_map.json <<'JSON'
{"unk_token": "<unk>", "cls_token": "<s>", "sep_token": {"content": "<end>"}, "mask_token": "<mask>", "pad_token": null}
JSON
echo 'the <mask> straße' | try tokenize -m m

# A token that is added to the words is one however it is written; one that is named as special is taken as it stands.
folder bert-uncased/vocab.txt tokenizer_config.json '{"additional_special_tokens": ["[NEW]"]}'
echo '{"Newtok": 700, "[NEW]": 701}' >m/added_tokens.json
echo 'the Newtok NEWTOK [NEW] [new]' | try tokenize -m m
echo '700 701 700' | try tokenize -m m --decode
# tokenizer.json does not know them all.
folder bert-uncased/tokenizer.json '' ''
cat >m/tokenizer_config.json <<'JSON'
{"added_tokens_decoder": {
  "0": {"content": "[PAD]", "lstrip": false, "rstrip": false, "single_word": false, "normalized": false, "special": true},
  "700": {"content": "Newtok", "lstrip": false, "rstrip": false, "single_word": true, "normalized": false}}}
JSON
echo 'the Newtok Newtoks newtok' | try tokenize -m m

# A token before every text, and after it; the second of two texts has types of its own.
ends() { # SETTINGS
  folder 'gpt2/vocab.json gpt2/merges.txt' tokenizer_config.json "{$1}"
  echo Hello | tokenize -m m
  printf 'Hello\tHello\n' | tokenize -m m --pair --json
}
try ends '"add_bos_token": true'
try ends '"add_eos_token": true'
try ends '"add_bos_token": true, "add_eos_token": true'
try ends '"add_eos_token": true, "eos_token": "[SEP]"'
try ends '"add_bos_token": true, "bos_token": null'

# Special tokens that are named and that no vocabulary has are new, in every kind of folder; one may take white space
# along.
new() { # FILES SETTINGS [MAP]
  folder "$1" tokenizer_config.json "$2"
  [ $# -lt 3 ] || echo "$3" >m/special_tokens_map.json
  echo 'foo <new1> bar<new2>' | tokenize -m m
}
gpt2='gpt2/vocab.json gpt2/merges.txt' roberta='roberta/vocab.json roberta/merges.txt'
try new bert-uncased/vocab.txt '{"additional_special_tokens": ["<new1>"]}'
try new bert-uncased/tokenizer.json '{"additional_special_tokens": ["<new1>"]}'
try new bert-uncased/vocab.txt '{"cls_token": "<new1>", "extra_special_tokens": ["<new2>"]}'
try new "$gpt2" '{"extra_special_tokens": ["<new2>", {"content": "<new1>", "lstrip": true}]}'
try new gpt2/tokenizer.json '{"extra_special_tokens": ["<new2>", {"content": "<new1>", "lstrip": true}]}'
try new "$roberta" '{"mask_token": "<new1>"}' '{"additional_special_tokens": ["<new2>"]}'
try new t5/spiece.model '{"tokenizer_class": "T5Tokenizer", "additional_special_tokens": ["<new1>"]}'
# With names they count in the order of the file, after roles and before those without names.
named='{"z_token": "<new2>", "a_token": "<new1>"}'
try new bert-uncased/vocab.txt "{\"extra_special_tokens\": $named, \"additional_special_tokens\": [\"foo\"]}"
try new "$gpt2" "{\"extra_special_tokens\": $named, \"pad_token\": \"<pad>\"}"
try new gpt2/tokenizer.json '{}' "{\"extra_special_tokens\": $named}"
try new t5/spiece.model "{\"tokenizer_class\": \"T5Tokenizer\", \"extra_special_tokens\": $named}"
# The model must have rows for them.
folder bert-uncased/vocab.txt config.json '{"vocab_size": 700}'
echo '{"additional_special_tokens": ["<new1>"]}' >m/tokenizer_config.json
echo 'foo <new1>' | try tokenize -m m

# A GPT-2 whose vocabulary has RoBERTa's tokens: the class decides whose it is, else the model, else the tokens.
whose() { # CLASS MODEL
  folder "$roberta" tokenizer_config.json "$1"
  echo "$2" >m/config.json
  echo 'a b' | tokenize -m m
}
for class in '{}' '{"tokenizer_class": "RobertaTokenizer"}' '{"tokenizer_class": "GPT2Tokenizer"}'; do
  for model in '{}' '{"model_type": "gpt2"}' '{"model_type": "roberta"}'; do try whose "$class" "$model"; done
done

# The vocabulary of tokenizer.json counts where added_tokens_decoder has another id; no token takes that of another.
cp -R "$EXAMPLES/dates" days
for token in '20": {"content": "1"' '60": {"content": "1"' '20": {"content": "zzz"' '60": {"content": "zzz"'; do
  echo "{\"added_tokens_decoder\": {\"$token}}}" >days/tokenizer_config.json
  echo 1zzz | try tokenize -m days
done
