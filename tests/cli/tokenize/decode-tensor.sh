# Rows of a tensor are decoded; padding is a special token.
tokenize -m "$EXAMPLES/dates" --decode --ids 2x3=10,2,0,10,11,2
