# An answer ends before the first stop text.
transformer-run -m "$EXAMPLES/dates" --stop -03 --stop , "3 mars 2021"
transformer-run -m "$EXAMPLES/dates" --stop - "3 mars 2021"
