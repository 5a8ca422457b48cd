# spiece.model and tokenizer.model alone: what tokenizer_config.json and config.json say of the class; ids as
# transformers 5.23 gives.
. "$SUPPORT/tokenizers.sh"
pieces() { # MODEL SETTINGS TEXT
  ids "$1/spiece.model" tokenizer_config.json "$2" "$3"
}
# XLNet's letters and T5's sentinels; without a word about the family, ids are those of sentencepiece itself.
text="Héllo \`\`naïve'' <mask>"
try pieces xlnet '{"tokenizer_class": "XLNetTokenizer"}' "$text"
try pieces xlnet '{"tokenizer_class": "XLNetTokenizer", "do_lower_case": true}' "$text"
try pieces xlnet '{}' "$text"
text="a <extra_id_0> b <unk> <extra_id_99>"
try pieces t5 '{"tokenizer_class": "T5Tokenizer"}' "$text"
try pieces t5 '{}' "$text"
# The model has no rows for sentinels.
try ids t5/spiece.model config.json '{"model_type": "t5", "vocab_size": 900}' '<extra_id_0>'
try ids t5/spiece.model config.json '{"model_type": "t5", "vocab_size": 704}' '<extra_id_0>'

# The token after a text may have another name.
for end in '<pad>' '<end>'; do
  try pieces t5 "{\"tokenizer_class\": \"T5Tokenizer\", \"eos_token\": \"$end\"}" 'a bar <end>'
  try pieces xlnet "{\"tokenizer_class\": \"XLNetTokenizer\", \"sep_token\": \"$end\", \"eos_token\": \"<unk>\"}" \
    'a bar <end>'
done

# The space that a word begins with is no part of it, and the parts of one character (fi) have all of it.
for model in t5 xlnet; do
  try ids $model/spiece.model config.json "{\"model_type\": \"$model\"}" '  hello  naïve ﬁne' --offsets
done

# Without a word about the family, control symbols of the text are their ids, and those of the pieces stand around it.
for model in t5 xlnet; do
  try ids $model/spiece.model '' '' 'a</s> <s>' --tokens
  try ids $model/spiece.model '' '' 'a</s> <s>' --tokens --no-special
done
