# t5: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/t5" --json-lines --quiet "$TESTDIR/t5/cases.jsonl"
