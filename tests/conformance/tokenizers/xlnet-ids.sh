# xlnet: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/xlnet" --json-lines "$TESTDIR/xlnet/cases.jsonl"
