# The trained model in examples/ turns a date into ISO 8601.
transformer-run -m "$EXAMPLES/dates" "3 mars 2021"
