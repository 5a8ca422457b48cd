# roberta: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/roberta" --decode --json-lines --json "$TESTDIR/roberta/cases.jsonl"
