# t5: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/t5" --decode --json-lines --json "$TESTDIR/t5/cases.jsonl"
