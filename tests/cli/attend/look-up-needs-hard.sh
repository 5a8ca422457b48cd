# Text cannot be averaged.
attend -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" -q str=Smith
