# The length of tokenizer.json counts, with a note; --max-length 0 keeps all.
sed 's/"truncation": null/"truncation": {"max_length": 3, "stride": 0, "strategy": "LongestFirst", "direction": "Right"}/' "$EXAMPLES/dates/tokenizer.json" >tokenizer.json
printf '1\n1234\n' >x
tokenize -m . x
tokenize -m . --max-length 0 x
