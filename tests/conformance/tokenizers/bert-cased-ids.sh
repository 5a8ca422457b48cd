# bert-cased: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/bert-cased" --json-lines --quiet "$TESTDIR/bert-cased/cases.jsonl"
