# A text without tokens has offsets where they are asked for: none.
printf '%s\n' '' 3 >lines.txt
tokenize -m "$EXAMPLES/dates" --no-special --json --offsets lines.txt
tokenize -m "$EXAMPLES/dates" --no-special --json lines.txt
