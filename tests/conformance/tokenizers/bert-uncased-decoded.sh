# bert-uncased: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/bert-uncased" --decode --json-lines --json "$TESTDIR/bert-uncased/cases.jsonl"
