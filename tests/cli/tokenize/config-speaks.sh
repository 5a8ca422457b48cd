# tokenizer_config.json against tokenizer.json: ids as transformers 5.23 gives, whose classes follow the former.
base=$TESTDIR/../../conformance/tokenizers
text="Héllo naïve 你好 NEWTOK"
ids() { # FOLDER OF CONFIG
  mkdir -p case && cp "$base/$1/$2" case && echo "$3" >case/tokenizer_config.json
  echo "$text" | tokenize -m case
  rm -r case
}
ids bert-uncased tokenizer.json '{"tokenizer_class": "BertTokenizer"}'
ids bert-uncased tokenizer.json '{"tokenizer_class": "BertTokenizer", "do_lower_case": false}'
ids bert-uncased tokenizer.json '{"tokenizer_class": "BertTokenizerFast", "strip_accents": false}'
ids bert-uncased tokenizer.json '{"tokenizer_class": "DistilBertTokenizer", "tokenize_chinese_chars": false}'
ids bert-cased tokenizer.json '{"tokenizer_class": "BertTokenizer"}'
# Here the file speaks alone.
ids bert-uncased tokenizer.json '{"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": false}'
ids gpt2 tokenizer.json '{"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true}'
ids gpt2 tokenizer.json '{"tokenizer_class": "PreTrainedTokenizerFast", "add_prefix_space": true}'
ids roberta tokenizer.json '{"tokenizer_class": "RobertaTokenizer", "add_prefix_space": true}'
# A special token that only the configuration names is one more.
text="a [PAD] b"
ids gpt2 tokenizer.json '{"tokenizer_class": "GPT2Tokenizer", "pad_token": "[PAD]"}'
# spiece.model alone: XLNet's letters, T5's sentinels; without a word about the family, as sentencepiece itself.
text="Héllo \`\`naïve'' <mask>"
ids xlnet spiece.model '{"tokenizer_class": "XLNetTokenizer"}'
ids xlnet spiece.model '{"tokenizer_class": "XLNetTokenizer", "do_lower_case": true}'
ids xlnet spiece.model '{}'
text="a <extra_id_0> b <unk> <extra_id_99>"
ids t5 spiece.model '{"tokenizer_class": "T5Tokenizer"}'
ids t5 spiece.model '{}'
# There, what is unknown is special, and left out of the text.
cp "$base/t5/spiece.model" .
echo 'so!' | tokenize -m . | tokenize -m . --decode
echo '{"model_type": "t5", "vocab_size": 900}' >config.json
echo 'so!' | tokenize -m . | tokenize -m . --decode
echo '<extra_id_0>' | tokenize -m .
# The model has no rows for sentinels.
echo '{"model_type": "t5", "vocab_size": 704}' >config.json
echo '<extra_id_0>' | tokenize -m . | wc -w
