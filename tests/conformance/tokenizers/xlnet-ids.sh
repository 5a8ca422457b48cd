# xlnet: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/xlnet" --json-lines --quiet "$TESTDIR/xlnet/cases.jsonl"
