# Models of tokens that contradict themselves, or have parts that are not known, are refused by their names.
mkdir m
while IFS= read -r json; do
  printf '%s' "$json" >m/tokenizer.json
  echo "a b" | tokenize -m m 2>&1 || echo $?
done <<'END'
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "c"}}
{"model": {"type": "WordPiece", "vocab": {"a": 0, "b": 1}, "unk_token": "c"}}
{"model": {"type": "WordPiece", "vocab": {"a": 0, "b": 0}, "unk_token": "a"}}
{"model": {"type": "WordPiece", "vocab": {"a": -1}, "unk_token": "a"}}
{"model": {"type": "WordPiece", "vocab": ["a"], "unk_token": "a"}}
{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"]}}
{"model": {"type": "BPE", "vocab": {"a": 0, "ab": 1}, "merges": ["a b"]}}
{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b c"]}}
{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [["a"]]}}
{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [], "unk_token": "c"}}
{"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": [], "dropout": 0.5}}
{"model": {"type": "Unigram", "vocab": [["a", 0], ["b", -1]], "unk_id": 2}}
{"model": {"type": "Unigram", "vocab": [["a", 0], ["b", "c"]], "unk_id": 0}}
{"model": {"type": "Unigram", "vocab": [["a", 0], ["b"]], "unk_id": 0}}
{"model": {"type": "Unigram", "vocab": [["a", 0], ["a", -1]], "unk_id": 0}}
{"model": {"type": "Bigram", "vocab": {"a": 0}}}
{"model": {"vocab": {"a": 0}}}
{"models": {"vocab": {"a": 0}}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "normalizer": {"type": "Loud"}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "normalizer": {"type": "Replace", "pattern": {"Regex": "("}, "content": ""}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "pre_tokenizer": {"type": "Halves"}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "Cut", "invert": false}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "post_processor": {"type": "Halves"}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "decoder": {"type": "Halves"}}
{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "a"}, "truncation": {"max_length": -1}}
[]
END
