# The pre-tokeniser UnicodeScripts: the places where tokenizers 0.23 cuts these lines.
cat >tokenizer.json <<'JSON'
{"version": "1.0", "pre_tokenizer": {"type": "UnicodeScripts"},
 "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}}
JSON
printf '%s\n' 'Hello мир 世界ーカナ 한국 123, abc! ' '  lead' 'aéе́' | tokenize -m . --offsets
