# What lies beside the vocabulary: names of special tokens, tokens that were added later; ids as transformers 5.23 gives.
base=$CONFORMANCE/tokenizers
ids() { tokenize -m "$1"; }
mkdir map added later bos
sed 's/^\[UNK\]$/<unk>/; s/^\[CLS\]$/<s>/; s/^\[SEP\]$/<end>/; s/^\[MASK\]$/<mask>/; s/^\[PAD\]$/<pad>/' \
  "$base/bert-uncased/vocab.txt" >map/vocab.txt
echo '{"unk_token": "<unk>", "cls_token": "<s>", "sep_token": {"content": "<end>"}, "mask_token": "<mask>", "pad_token": null}' >map/special_tokens_map.json
echo 'the <mask> straße' | ids map
# Added to the words, a token is one however it is written; one that is named as special is taken as it stands.
cp "$base/bert-uncased/vocab.txt" added
echo '{"Newtok": 700, "[NEW]": 701}' >added/added_tokens.json
echo '{"additional_special_tokens": ["[NEW]"]}' >added/tokenizer_config.json
echo 'the Newtok NEWTOK [NEW] [new]' | ids added
echo '700 701 700' | tokenize -m added --decode
# tokenizer.json does not know them all.
cp "$base/bert-uncased/tokenizer.json" later
cat >later/tokenizer_config.json <<'JSON'
{"added_tokens_decoder": {
  "0": {"content": "[PAD]", "lstrip": false, "rstrip": false, "single_word": false, "normalized": false, "special": true},
  "700": {"content": "Newtok", "lstrip": false, "rstrip": false, "single_word": true, "normalized": false}}}
JSON
echo 'the Newtok Newtoks newtok' | ids later
# A token in front of every text, and behind it; the second of two has types of its own.
cp "$base/gpt2/vocab.json" "$base/gpt2/merges.txt" bos
for end in '"add_bos_token": true' '"add_eos_token": true' '"add_bos_token": true, "add_eos_token": true' \
  '"add_eos_token": true, "eos_token": "[SEP]"' '"add_bos_token": true, "bos_token": null'; do
  echo "{$end}" >bos/tokenizer_config.json
  echo 'Hello' | ids bos
  printf 'Hello\tHello\n' | tokenize -m bos --pair --json | grep -o '"ids.*]' | sed 's/,"tokens.*"type_ids":/ /; s/,"special.*//'
done
# Special tokens that are named and that no vocabulary has are new, in every kind of folder; one may take white space
# along. The model must have rows for them.
new() { # FOLDER FILES SETTINGS
  mkdir new
  for file in $2; do cp "$base/$1/$file" new; done
  echo "$3" >new/tokenizer_config.json
  if [ $# = 4 ]; then echo "$4" >new/special_tokens_map.json; fi
  echo 'foo <new1> bar<new2>' | ids new
  rm -r new
}
new bert-uncased vocab.txt '{"additional_special_tokens": ["<new1>"]}'
new bert-uncased tokenizer.json '{"additional_special_tokens": ["<new1>"]}'
new bert-uncased vocab.txt '{"cls_token": "<new1>", "extra_special_tokens": ["<new2>"]}'
new gpt2 'vocab.json merges.txt' '{"extra_special_tokens": ["<new2>", {"content": "<new1>", "lstrip": true}]}'
new gpt2 tokenizer.json '{"extra_special_tokens": ["<new2>", {"content": "<new1>", "lstrip": true}]}'
new roberta 'vocab.json merges.txt' '{"mask_token": "<new1>"}' '{"additional_special_tokens": ["<new2>"]}'
new t5 spiece.model '{"tokenizer_class": "T5Tokenizer", "additional_special_tokens": ["<new1>"]}'
# A GPT-2 whose vocabulary has RoBERTa's tokens: the class says whose it is, else the model, else they do.
mkdir whose
cp "$base/roberta/vocab.json" "$base/roberta/merges.txt" whose
for class in '{}' '{"tokenizer_class": "RobertaTokenizer"}' '{"tokenizer_class": "GPT2Tokenizer"}'; do
  echo "$class" >whose/tokenizer_config.json
  for model in '{}' '{"model_type": "gpt2"}' '{"model_type": "roberta"}'; do
    echo "$model" >whose/config.json
    echo 'a b' | ids whose
  done
done
# With names they count in the order of the file, behind roles and before those without names.
named='{"z_token": "<new2>", "a_token": "<new1>"}'
new bert-uncased vocab.txt "{\"extra_special_tokens\": $named, \"additional_special_tokens\": [\"foo\"]}"
new gpt2 'vocab.json merges.txt' "{\"extra_special_tokens\": $named, \"pad_token\": \"<pad>\"}"
new gpt2 tokenizer.json '{}' "{\"extra_special_tokens\": $named}"
new t5 spiece.model "{\"tokenizer_class\": \"T5Tokenizer\", \"extra_special_tokens\": $named}"
mkdir new
cp "$base/bert-uncased/vocab.txt" new
echo '{"additional_special_tokens": ["<new1>"]}' >new/tokenizer_config.json
echo '{"vocab_size": 700}' >new/config.json
echo 'foo <new1>' | ids new
