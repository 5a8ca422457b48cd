# A look-up of text prints the value of the equal key, a line each.
attend --normalize hard -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" -q str=Smith
attend --normalize hard -k "$EXAMPLES/names.csv:/last" -v "$EXAMPLES/names.csv:/first" -q str=Sato,Kim
