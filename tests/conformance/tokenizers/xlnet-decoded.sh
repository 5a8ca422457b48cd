# xlnet: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/xlnet" --decode --json-lines --json "$TESTDIR/xlnet/cases.jsonl"
