# Lines of JSON may hold line ends, pairs and ids.
printf '%s\n' '"1\n2"' '["1", "2"]' '{"text": "1", "pair": "2"}' | tokenize -m "$EXAMPLES/dates" --json-lines
printf '%s\n' '[10, 2]' '{"ids": [11]}' | tokenize -m "$EXAMPLES/dates" --decode --json-lines --json
