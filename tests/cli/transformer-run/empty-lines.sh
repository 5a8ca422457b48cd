# One output line for each input line, empty ones too; \r\n ends a line as \n does, the last line needs no end.
printf '\n3 mars 2021\r\n\n1 mei 1999' | transformer-run -m "$EXAMPLES/dates"
