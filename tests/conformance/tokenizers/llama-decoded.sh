# llama: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/llama" --decode --json-lines --json "$TESTDIR/llama/cases.jsonl"
