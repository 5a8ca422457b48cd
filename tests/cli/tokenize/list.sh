# The vocabulary, a token a line.
tokenize -m "$EXAMPLES/dates" --list | sed -n '1p;3p;20p;$p' | tr '\t' '|'
