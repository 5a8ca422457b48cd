# llama-without-space, whose texts get no space: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/llama-without-space" --json-lines --quiet "$TESTDIR/llama-without-space/cases.jsonl"
