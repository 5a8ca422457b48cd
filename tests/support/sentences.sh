# Sourced by tests of folders of sentence-transformers: m is a small BERT, whose other files these functions write.
cp -R "$CONFORMANCE/models/bert" m
cp "$FIXTURES/words/tokenizer.json" m
mkdir m/1_Pooling
printf 'the man\nthe man is in Paris and the woman went to London\n' >lines
modules() { # [TYPE]: a transformer, a pooling and one module more
  comma='' number=0
  for type in Transformer Pooling "$@"; do
    [ $number -eq 0 ] && path='' || path=${number}_$type
    printf '%s{"idx": %d, "name": "%d", "path": "%s", "type": "sentence_transformers.models.%s"}' \
      "$comma" $number $number "$path" "$type"
    comma=', ' number=$((number + 1))
  done | sed 's/^/[/; s/$/]/' >m/modules.json
}
pooling() { echo "{\"word_embedding_dimension\": 32${1:+, $1}}" >m/1_Pooling/config.json; } # [FIELDS]
