# marian-bpe: every line becomes the ids that its own implementation gives.
tokenize -m "$TESTDIR/marian-bpe" --json-lines --quiet "$TESTDIR/marian-bpe/cases.jsonl"
