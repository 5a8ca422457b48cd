# llama-without-space, whose texts get no space: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/llama-without-space" --decode --json-lines --json "$TESTDIR/llama-without-space/cases.jsonl"
