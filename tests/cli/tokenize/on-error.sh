# A bad line is reported by its number and answered by an empty line; the others are done.
printf '1\n\377\n2\n' | tokenize -m "$EXAMPLES/dates" --on-error skip
