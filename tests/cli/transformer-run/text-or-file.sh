# A text that is the name of a file is still the text; a note says how to run the lines of the file.
echo '1 mei 1999' >dates.txt
transformer-run -m "$EXAMPLES/dates" dates.txt >given
transformer-run -m "$EXAMPLES/dates" <dates.txt
printf 'dates.txt\n' | transformer-run -m "$EXAMPLES/dates" | cmp - given
