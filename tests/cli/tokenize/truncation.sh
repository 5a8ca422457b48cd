# Which text of a pair is cut.
printf '12345\t678\n' >x
for which in longest-first only-first; do tokenize -m "$EXAMPLES/dates" --pair --max-length 4 --truncation $which x; done
tokenize -m "$EXAMPLES/dates" --pair --max-length 4 --truncation only-second x
