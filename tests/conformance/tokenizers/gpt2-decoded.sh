# gpt2: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/gpt2" --decode --json-lines --json "$TESTDIR/gpt2/cases.jsonl"
