# bert-uncased: without tokenizer.json, the vocabulary files give the same ids and the same text.
cp "$TESTDIR/bert-uncased"/* .
rm tokenizer.json
tokenize -m . --json-lines --quiet cases.jsonl | diff "$TESTDIR/bert-uncased-ids.stdout" -
tokenize -m . --decode --json-lines --json cases.jsonl | diff "$TESTDIR/bert-uncased-decoded.stdout" -
