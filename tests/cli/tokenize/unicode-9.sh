# UnicodeScripts has the scripts of Unicode 9, as in the tokenizers package (0.23): newer characters have none, and
# U+061C is common. The places where that package cuts these lines.
cat >tokenizer.json <<'JSON'
{"version": "1.0", "pre_tokenizer": {"type": "UnicodeScripts"},
 "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}}
JSON
printf '\342\200\246\330\234hello\n\342\257\274a\na\340\241\276b\na\330\234b\n\326\211.\n' | tokenize -m . --offsets
