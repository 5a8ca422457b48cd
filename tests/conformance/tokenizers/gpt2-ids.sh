# gpt2: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/gpt2" --json-lines --quiet "$TESTDIR/gpt2/cases.jsonl"
