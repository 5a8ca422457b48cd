# An id outside the vocabulary is named with its line.
printf '10\n51\n' | tokenize -m "$EXAMPLES/dates" --decode
