# Where there is room for special tokens alone, every strategy empties both texts, as in the tokenizers package.
for which in longest-first only-first only-second; do
  printf 'one two\tthree\n' |
    tokenize -m "$CONFORMANCE/tokenizers/bert-uncased" --pair --max-length 3 --truncation $which --tokens
done
