# With --on-error skip bad lines (too long ones with --max-length 0) leave an empty line and a note each, and the rest is done.
long=$(printf '%080d' 0)
printf '3 mars 2021\n\377\n%s\n1 mei 1999\n' "$long" | transformer-run -m "$EXAMPLES/dates" --on-error skip --max-length 0
