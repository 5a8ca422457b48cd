# Damaged tokenizers: one line each, that names the place.
try() { # what, sed expression on the dates tokenizer
  sed "$2" "$EXAMPLES/dates/tokenizer.json" >tokenizer.json
  tokenize -m . x && echo "$1: accepted" || echo "$?"
}
echo 1 >x
try type 's/"NFC"/"NFX"/'
try number 's/"a": 19,/"a": "19",/'
try fraction 's/"a": 19,/"a": 19.5,/'
try twice 's/"a": 19,/"a": 20,/'
try negative 's/"a": 19,/"a": -1,/'
try huge 's/"a": 19,/"a": 99999999999999999999,/'
try unknown 's/"unk_token": "<unk>"/"unk_token": "nix"/'
try regex 's/"Regex": "."/"Regex": "("/'
try behavior 's/"Isolated"/"Shattered"/'
try field 's/"pattern"/"Pattern"/'
try boolean 's/"invert": false/"invert": "no"/'
try added 's/"id": 3,/"id": 2,/'
try template 's/"id": "A"/"id": "C"/'
try missing 's/"model"/"modell"/'
cp "$EXAMPLES/dates/tokenizer.json" .
for length in '"x"' '"12"' '[]' 1e30 null; do
  echo "{\"model_max_length\": $length}" >tokenizer_config.json
  tokenize -m . x || echo "$?"
done
rm tokenizer_config.json
head -c 1000 "$EXAMPLES/dates/tokenizer.json" >tokenizer.json
tokenize -m . x || echo "$?"
: >tokenizer.json
tokenize -m . x || echo "$?"
head -c 100000 /dev/zero | tr '\0' '[' >tokenizer.json
tokenize -m . x || echo "$?"
printf '{"model": {"vocab": {"\377": 1}}}' >tokenizer.json
tokenize -m . x || echo "$?"
rm tokenizer.json
head -c 5000 "$EXAMPLES/../tests/conformance/tokenizers/t5/spiece.model" >spiece.model
tokenize -m . x || echo "$?"
rm spiece.model
for cut in 2 8 100 5000; do
  head -c -$cut "$EXAMPLES/../tests/conformance/tokenizers/llama/tokenizer.model" >tokenizer.model
  tokenize -m . x || echo "$?"
done
rm tokenizer.model
printf '[UNK]\n[CLS]\n[SEP]\na\na\n' >vocab.txt
tokenize -m . x || echo "$?"
printf '[UNK]\n[CLS]\na\n' >vocab.txt
tokenize -m . x || echo "$?"
printf '{"a": 0, "b": 1}' >vocab.json
printf '#version: 0.2\na b\n' >merges.txt
tokenize -m . x || echo "$?"
printf '#version: 0.2\na b c\n' >merges.txt
tokenize -m . x || echo "$?"
