# Special tokens are shown on request.
echo 1 10 11 2 | tokenize -m "$EXAMPLES/dates" --decode --keep-special
