# With --on-error skip bad lines leave an empty line and a note each, and the rest is done.
long=$(printf '%080d' 0)
printf '3 mars 2021\n\377\n%s\n1 mei 1999\n' "$long" | transformer-run -m "$EXAMPLES/dates" --on-error skip
