# Without special tokens the end token is missing.
echo 12 | tokenize -m "$EXAMPLES/dates" --no-special
