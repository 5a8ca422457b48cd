# Ids of lines, and the lines again, lower-cased as the normaliser does; line ends of DOS; an empty line.
printf '3 Mars 2021\n1.1.99\r\n\n' | tokenize -m "$EXAMPLES/dates" >ids
cat ids
tokenize -m "$EXAMPLES/dates" --decode ids
