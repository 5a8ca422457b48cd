# roberta: without tokenizer.json, the vocabulary files give the same ids and the same text.
cp "$TESTDIR/roberta"/* .
rm tokenizer.json
tokenize -m . --json-lines --quiet cases.jsonl | diff "$TESTDIR/roberta-ids.stdout" -
tokenize -m . --decode --json-lines --json cases.jsonl | diff "$TESTDIR/roberta-decoded.stdout" -
