# What tokenizer_config.json says and the classes of transformers obey, whatever tokenizer.json has: letters, the space
# before a text, the tokens around it, and tokens of the model's own.
cat >texts <<'END'
"The café, the ``Café'' is there"
"I am <image> here"
["who is", "there"]
END
while read -r folder fields; do
  rm -rf m
  cp -R "$TESTDIR/$folder" m
  echo "$fields" >m/tokenizer_config.json
  echo "$folder $fields"
  tokenize -m m --json-lines --max-length 0 texts
done <<'END'
families/albert {"tokenizer_class": "AlbertTokenizer"}
families/albert {"tokenizer_class": "AlbertTokenizer", "do_lower_case": false}
families/albert {"tokenizer_class": "AlbertTokenizer", "keep_accents": true}
families/xlm-roberta {"tokenizer_class": "XLMRobertaTokenizer", "add_prefix_space": false}
families/xlm-roberta {"tokenizer_class": "XLMRobertaTokenizer", "bos_token": "</s>", "eos_token": "<pad>"}
families/xlm-roberta {"tokenizer_class": "XLMRobertaTokenizer", "cls_token": "<pad>"}
bert-uncased {"tokenizer_class": "BertTokenizer", "cls_token": "[SEP]", "sep_token": "[MASK]"}
bert-uncased {"tokenizer_class": "BertTokenizer", "image_token": "<image>"}
bert-uncased {"tokenizer_class": "PreTrainedTokenizerFast", "cls_token": "[SEP]", "sep_token": "[MASK]"}
roberta {"tokenizer_class": "RobertaTokenizer", "cls_token": "</s>", "sep_token": "<s>"}
gpt2 {"tokenizer_class": "GPT2Tokenizer", "image_token": "<image>", "bos_token": "the"}
END
