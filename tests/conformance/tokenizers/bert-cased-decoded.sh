# bert-cased: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/bert-cased" --decode --json-lines --json "$TESTDIR/bert-cased/cases.jsonl"
