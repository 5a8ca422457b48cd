# A bad line ends the run, with what came before it done.
printf '1\n1\377\n2\n' >x
tokenize -m "$EXAMPLES/dates" x
