# Text cannot be averaged.
cp "$EXAMPLES/names.csv" .
attend -k names.csv:/last -v names.csv:/first -q str=Smith
