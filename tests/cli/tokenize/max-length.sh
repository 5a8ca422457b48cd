# The limit counts special tokens; 0 is no limit; the side can be chosen.
echo 123456 >x
tokenize -m "$EXAMPLES/dates" --max-length 4 x
tokenize -m "$EXAMPLES/dates" --max-length 4 --truncation-side left x
tokenize -m "$EXAMPLES/dates" --max-length 0 x
