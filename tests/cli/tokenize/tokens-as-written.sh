# What Unigram does not know, and white space of added tokens, stands as in the text; offsets leave that space out.
cat >tokenizer.json <<'JSON'
{"version": "1.0", "truncation": null, "padding": null,
 "added_tokens": [{"id": 3, "content": "<mask>", "single_word": false, "lstrip": true, "rstrip": false,
                   "normalized": false, "special": true}],
 "normalizer": null, "pre_tokenizer": null,
 "post_processor": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
 "decoder": null,
 "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": false, "vocab": [["<unk>", 0], ["a", -1], [" b", -1]]}}
JSON
printf '%s\n' '"axy b  <mask>"' '"a\t\u3000a\n"' >lines.txt
tokenize -m . --json-lines --json --offsets lines.txt
tokenize -m . --json-lines --tokens lines.txt
tokenize -m . --json-lines --tokens --max-length 2 lines.txt
