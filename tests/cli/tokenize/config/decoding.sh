# Texts and back, by what the configuration says of special tokens and of spaces.
. "$SUPPORT/tokenizers.sh"
# What is unknown comes back as sentencepiece's sign. To T5 it is a special token, and left out of the text.
try back t5/spiece.model '' '' 'so!'
try back t5/spiece.model config.json '{"model_type": "t5", "vocab_size": 900}' 'so!'
# Of two spaces that T5 begins with one is left.
try back t5/spiece.model config.json '{"model_type": "t5"}' 'ÀÉÎ straße'

# An added token that is looked for in normalised text is that text.
folder bert-uncased/vocab.txt config.json '{"model_type": "bert"}'
echo '{"added_tokens_decoder": {"700": {"content": "NewTok"}, "701": {"content": "OldTok", "normalized": false}}}' \
  >m/tokenizer_config.json
echo 'a NEWTOK newtok OldTok' | tokenize -m m | try tokenize -m m --decode

# Spaces that English does not have are cleaned up, but not for byte-pair encoding.
for files in bert-uncased/tokenizer.json bert-uncased/vocab.txt 'gpt2/vocab.json gpt2/merges.txt' t5/spiece.model; do
  for settings in '{}' '{"clean_up_tokenization_spaces": true}'; do
    try back "$files" tokenizer_config.json "$settings" "it ' s 2024 , yes . I do n't ! do not"
  done
done
