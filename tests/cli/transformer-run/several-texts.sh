# Every word of the command line is a text of its own.
transformer-run -m "$EXAMPLES/dates" "3 mars 2021" "Monday, Dec 8, 2092"
