# Ids may be written as a table.
printf '3 March 2021\n' >t.txt
tokenize -m "$EXAMPLES/dates" t.txt -O csv --header | head -n 1
tokenize -m "$EXAMPLES/dates" t.txt -O csv --no-header --delim ';' | head -n 1
