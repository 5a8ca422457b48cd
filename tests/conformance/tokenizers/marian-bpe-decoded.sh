# marian-bpe: the ids of every line become the text that its own implementation gives.
tokenize -m "$TESTDIR/marian-bpe" --decode --json-lines --json "$TESTDIR/marian-bpe/cases.jsonl"
