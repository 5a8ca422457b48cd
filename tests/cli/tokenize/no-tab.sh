# A pair without a tab is an error.
echo 1 2 | tokenize -m "$EXAMPLES/dates" --pair
