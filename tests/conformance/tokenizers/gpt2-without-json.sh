# gpt2: without tokenizer.json, the vocabulary files give the same ids and the same text.
cp "$TESTDIR/gpt2"/* .
rm tokenizer.json
tokenize -m . --json-lines --quiet cases.jsonl | diff "$TESTDIR/gpt2-ids.stdout" -
tokenize -m . --decode --json-lines --json cases.jsonl | diff "$TESTDIR/gpt2-decoded.stdout" -
