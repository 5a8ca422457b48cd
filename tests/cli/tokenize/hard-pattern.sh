# Many long runs of blanks are ordinary text for Qwen2's pattern. A pattern that goes back ever again is stopped: the
# message has its beginning, its file and the line.
split() {
  printf '{"version": "1.0", "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "%s"}, "behavior": "Isolated",
    "invert": false}, "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}}' "$1" >tokenizer.json
}
words='[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+'
split "$words"
awk 'BEGIN { for (i = 0; i < 101; i++) printf "%4097sx", ""; print "" }' | tokenize -m . | wc -w
split "(?:a|a)*b|$words"
awk 'BEGIN { print "ab"; for (i = 0; i < 60; i++) printf "a"; print "cb" }' | tokenize -m .
