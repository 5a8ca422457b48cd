# A key that is not there is an empty line and exit code 1.
attend --normalize hard -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" -q str=Smyth,Smith
