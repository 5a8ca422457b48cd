# tokenizer_config.json against tokenizer.json: ids as transformers 5.23 gives, whose classes follow the former.
. "$SUPPORT/tokenizers.sh"
text="Héllo naïve 你好 NEWTOK"
bert() { ids "bert-$1/tokenizer.json" tokenizer_config.json "$2" "$text"; }
try bert uncased '{"tokenizer_class": "BertTokenizer"}'
try bert uncased '{"tokenizer_class": "BertTokenizer", "do_lower_case": false}'
try bert uncased '{"tokenizer_class": "BertTokenizerFast", "strip_accents": false}'
try bert uncased '{"tokenizer_class": "DistilBertTokenizer", "tokenize_chinese_chars": false}'
try bert cased '{"tokenizer_class": "BertTokenizer"}'
# With this class tokenizer.json decides alone.
try bert uncased '{"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": false}'

gpt() { ids "$1/tokenizer.json" tokenizer_config.json "$2" "$text"; }
try gpt gpt2 '{"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true}'
try gpt gpt2 '{"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": true}'
try gpt roberta '{"tokenizer_class": "RobertaTokenizer", "add_prefix_space": true}'
# A special token that only the configuration names is one more.
text="a [PAD] b"
try gpt gpt2 '{"tokenizer_class": "GPT2Tokenizer", "pad_token": "[PAD]"}'

# config.json may name the class too; a class that is none leaves tokenizer.json as it is.
for settings in '{}' '{"model_type": "bert"}' '{"tokenizer_class": "BertTokenizer"}' \
  '{"model_type": "bert", "tokenizer_class": "PreTrainedTokenizerFast"}'; do
  try ids bert-cased/tokenizer.json config.json "$settings" "Héllo NEWTOK"
done

# XLNet's normaliser is that of its class, not this file's, which makes b of a.
cat >xlnet.json <<'END'
{"normalizer": {"type": "Sequence", "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "b"}]},
 "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
 "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
 "model": {"type": "Unigram", "unk_id": 0, "vocab":
 [["<unk>", 0], ["▁e", -1], ["▁E", -1], ["▁é", -1], ["▁a", -1], ["▁b", -1], ["\"", -1]]}}
END
xlnet() { # SETTINGS TEXT
  folder '' tokenizer_config.json "$1"
  cp xlnet.json m/tokenizer.json
  echo '{"model_type": "xlnet"}' >m/config.json
  echo "$2" | tokenize -m m
}
try xlnet '' "é a É ''"
try xlnet '{"do_lower_case": true}' "é a É ''"
try xlnet '{"tokenizer_class": "TokenizersBackend", "do_lower_case": true}' "é a É ''"
