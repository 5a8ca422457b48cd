# tokenizer_config.json against tokenizer.json: ids as transformers 5.23 gives, whose classes follow the former.
base=$CONFORMANCE/tokenizers
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
# What stands behind a text may have another name.
text="a bar <end>"
for end in '<pad>' '<end>'; do
  ids t5 spiece.model "{\"tokenizer_class\": \"T5Tokenizer\", \"eos_token\": \"$end\"}"
  ids xlnet spiece.model "{\"tokenizer_class\": \"XLNetTokenizer\", \"sep_token\": \"$end\", \"eos_token\": \"<unk>\"}"
done
# The space that a word begins with is no part of it, and the parts of one character (fi) have all of it.
for model in t5 xlnet; do
  mkdir spaces && cp "$base/$model/spiece.model" spaces && echo "{\"model_type\": \"$model\"}" >spaces/config.json
  echo '  hello  naïve ﬁne' | tokenize -m spaces --offsets
  rm -r spaces
done
# tokenizer.model is Llama's, whatever else is said or not: what stands around a text, and where spaces do.
text=" a<s>the"
ids llama tokenizer.model '{}'
bos='"tokenizer_class": "LlamaTokenizer", "add_bos_token": true'
ids llama tokenizer.model "{$bos}"
ids llama tokenizer.model "{$bos, \"legacy\": true}"
ids llama tokenizer.model "{$bos, \"add_prefix_space\": false}"
ids llama tokenizer.model "{$bos, \"bos_token\": null}"
ids llama tokenizer.model "{$bos, \"add_eos_token\": true}"
ids llama tokenizer.model "{$bos, \"add_eos_token\": true, \"eos_token\": \"<end>\"}"
ids llama tokenizer.model '{"tokenizer_class": "LlamaTokenizer", "add_bos_token": false}'
mkdir pieces && cp "$base/llama/tokenizer.model" pieces
printf 'the\ta\n' | tokenize -m pieces --pair --json | grep -o '"type_ids":[^]]*'
printf 'the é\n a\n' | tokenize -m pieces --offsets
printf 'the\na b\n' | tokenize -m pieces -O csv
tokenize -m pieces --decode <<'END'
1 276 263 310
276 263 198 172
276 276 263
END
# Where nothing says whose they are, what is unknown is special, and left out of the text.
cp "$base/t5/spiece.model" .
echo 'so!' | tokenize -m . | tokenize -m . --decode
echo '{"model_type": "t5", "vocab_size": 900}' >config.json
echo 'so!' | tokenize -m . | tokenize -m . --decode
echo '<extra_id_0>' | tokenize -m .
# The model has no rows for sentinels.
echo '{"model_type": "t5", "vocab_size": 704}' >config.json
echo '<extra_id_0>' | tokenize -m . | wc -w
# The class may be named by the model's configuration alone; a class that is none leaves the file as it is.
text="Héllo NEWTOK"
cp "$base/bert-cased/tokenizer.json" .
rm spiece.model
for config in '{}' '{"model_type": "bert"}' '{"tokenizer_class": "BertTokenizer"}' \
  '{"model_type": "bert", "tokenizer_class": "PreTrainedTokenizerFast"}'; do
  echo "$config" >config.json
  echo "$text" | tokenize -m .
done
# XLNet's normaliser is that of its class, not the file's, but for what sentencepiece does.
cat >tokenizer.json <<'END'
{"normalizer": {"type": "Sequence", "normalizers": [{"type": "Replace", "pattern": {"String": "a"}, "content": "b"}]},
 "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
 "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
 "model": {"type": "Unigram", "unk_id": 0, "vocab":
 [["<unk>", 0], ["▁e", -1], ["▁E", -1], ["▁é", -1], ["▁a", -1], ["▁b", -1], ["\"", -1]]}}
END
echo '{"model_type": "xlnet"}' >config.json
echo "é a É ''" | tokenize -m .
echo '{"do_lower_case": true}' >tokenizer_config.json
echo "é a É ''" | tokenize -m .
echo '{"tokenizer_class": "TokenizersBackend", "do_lower_case": true}' >tokenizer_config.json
echo "é a É ''" | tokenize -m .
# An added token that is looked for in normalised text is that text; of two spaces that T5 begins with one is left.
cp "$base/bert-uncased/vocab.txt" .
rm tokenizer.json
echo '{"model_type": "bert"}' >config.json
echo '{"added_tokens_decoder": {"700": {"content": "NewTok"}, "701": {"content": "OldTok", "normalized": false}}}' \
  >tokenizer_config.json
echo 'a NEWTOK newtok OldTok' | tokenize -m . | tokenize -m . --decode
rm vocab.txt tokenizer_config.json
cp "$base/t5/spiece.model" .
echo '{"model_type": "t5"}' >config.json
echo 'ÀÉÎ straße' | tokenize -m . | tokenize -m . --decode
# Spaces that English does not have are cleaned up in decoded text, but not for byte-pair encoding.
clean() { # FOLDER FILES
  mkdir clean
  for file in $2; do cp "$base/$1/$file" clean; done
  for config in '{}' '{"clean_up_tokenization_spaces": true}'; do
    echo "$config" >clean/tokenizer_config.json
    echo "it ' s 2024 , yes . I do n't ! do not" | tokenize -m clean | tokenize -m clean --decode
  done
  rm -r clean
}
clean bert-uncased tokenizer.json
clean bert-uncased vocab.txt
clean gpt2 'vocab.json merges.txt'
clean t5 spiece.model
# Without a word about the family control symbols of the text are their ids, and those of the pieces stand around it.
for model in t5 xlnet; do
  mkdir alone && cp "$base/$model/spiece.model" alone
  echo 'a</s> <s>' | tokenize -m alone --tokens | tr '\t' '|'
  echo 'a</s> <s>' | tokenize -m alone --tokens --no-special | tr '\t' '|'
  rm -r alone
done
