# bert-uncased: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/bert-uncased" --json-lines --quiet "$TESTDIR/bert-uncased/cases.jsonl"
