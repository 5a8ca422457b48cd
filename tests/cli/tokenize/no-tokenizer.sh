# A folder without a tokenizer.
mkdir m
echo 1 | tokenize -m m
