# Chat templates: every text and every refusal is that of transformers.
for folder in "$TESTDIR"/*/; do
  rm -rf m && cp -R "$folder" m && cp "$FIXTURES/words/tokenizer.json" m
  tokenize -m m --chat --json --on-error skip --max-length 0 <m/chats.jsonl 2>errors |
    sed 's/^.*"text":\(".*"\)}$/\1/' >lines || :
  # The errors take the places of the empty lines.
  sed 's/^.*: line [0-9]*: .*: line [0-9]*: /error: /' errors >refused
  awk '$0 == "" { getline <"refused" } { print }' lines >texts
  cmp texts m/texts || diff texts m/texts
done
