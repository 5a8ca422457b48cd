# A word among ids is named with its line.
echo 10 x2 | tokenize -m "$EXAMPLES/dates" --decode
