# llama: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/llama" --json-lines --quiet "$TESTDIR/llama/cases.jsonl"
