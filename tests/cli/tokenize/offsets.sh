# Offsets are characters, half-open, 0-0 for what was added.
echo 'Ünï co' | tokenize -m "$EXAMPLES/../tests/conformance/tokenizers/bert-cased" --offsets --tokens | tr '\t' '|'
# RoBERTa's leave out the spaces, unless the configuration says otherwise.
base=$EXAMPLES/../tests/conformance/tokenizers/roberta
for files in 'tokenizer.json' 'vocab.json merges.txt'; do
  mkdir trim
  for file in $files; do cp "$base/$file" trim; done
  for trim in '' ', "trim_offsets": false' ', "trim_offsets": true'; do
    echo "{\"tokenizer_class\": \"RobertaTokenizer\"$trim}" >trim/tokenizer_config.json
    echo ' Hello  it' | tokenize -m trim --offsets
  done
  rm -r trim
done
