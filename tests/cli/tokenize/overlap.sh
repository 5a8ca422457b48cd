# A text longer than the maximum in windows that share tokens, as enable_truncation with a stride in tokenizers 0.23.3
# makes them; offsets count in the whole text.
bert=$CONFORMANCE/tokenizers/bert-uncased
windows() { # LENGTH OVERLAP OPTION...
  length=$1 overlap=$2
  shift 2
  tokenize -m "$bert" --max-length "$length" --overlap "$overlap" "$@"
}
echo 'one two three four five six seven' >text
windows 6 2 --tokens text
windows 6 0 --tokens text
windows 6 3 --tokens --truncation-side left text
windows 20 3 --tokens text
windows 7 4 --no-special --offsets text
echo "pairs"
printf 'one two three four\tfive six seven eight nine ten eleven\n' >pair
windows 15 2 --pair --truncation only-second --tokens pair
windows 12 2 --pair pair
echo "offsets without the space in front of a token"
tokenize -m "$CONFORMANCE/tokenizers/roberta" --max-length 5 --overlap 1 --offsets text
echo "the line of each window"
printf '"one two three four"\n""\n["one two", "three"]\n' | windows 8 1 --json-lines --json --offsets | cut -c 1-60
printf 'one two three four\n\377\nfive\n' | windows 5 1 --on-error skip --offsets -o w.h5 2>&1 || echo $?
tconv w.h5:/lines -O csv --no-header
tconv w.h5:/ids -O csv --no-header
tconv 'w.h5:/offsets[1]' -O csv --no-header
echo "the length of tokenizer.json"
mkdir cut
sed 's/"truncation": *null/"truncation": {"max_length": 5, "stride": 0, "strategy": "LongestFirst", "direction": "Right"}/' \
  "$EXAMPLES/dates/tokenizer.json" >cut/tokenizer.json
echo 1234567 | tokenize -m cut --overlap 1 --offsets
echo "refused"
echo 1 | tokenize -m "$EXAMPLES/dates" --overlap 1 2>&1 || echo $?
echo 1 | windows 6 4 2>&1 || echo $?
windows 9 2 --pair --truncation only-first pair 2>&1 || echo $?
tokenize -m "$bert" --stride 2 text 2>&1 || echo $?
