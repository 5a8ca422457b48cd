# roberta: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/roberta" --json-lines --quiet "$TESTDIR/roberta/cases.jsonl"
