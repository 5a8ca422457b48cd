# A bad line is named with its number; the lines before it are done.
printf '3 mars 2021\n\377\n1 mei 1999\n' | transformer-run -m "$EXAMPLES/dates"
