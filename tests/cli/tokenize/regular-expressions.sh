# Words, properties and classes of a tokenizer file are Oniguruma's: where tokenizers 0.23 cuts these lines.
split() {
  printf '{"version": "1.0", "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "%s"}, "behavior": "Isolated",
    "invert": false}, "model": {"type": "WordLevel", "vocab": {"[UNK]": 0}, "unk_token": "[UNK]"}}' "$1" >tokenizer.json
  printf '%s\n' "$2" | tokenize -m . --offsets
}
split '\\w+|[^\\w\\s]+' 'हि नमस्ते, größe!'
split '[^\\W\\d_]+' 'हि_२२a²'
split '\\p{Han}+|[[:punct:]]' '京、都!x'
split '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lo}\\p{M}&&[^\\p{Han}]]*[\\p{Ll}\\p{Lo}\\p{M}&&[^\\p{Han}]]+|\\p{N}{1,3}+' \
  'Hello wOrld 京都हि 12345'
# [:punct:] is punctuation and symbols, which libonig before 6.9.10 does not count; elsewhere it is a class of letters.
split '[[:punct:]]' 'a+b€c、d'
split '[^[:punct:]]+|[[:^punct:]x]' 'x=≤y'
split '[]$\\\\\\[[:punct:]a&&[^.]]' ']a.+[b'
split '\\[[:punct:]|[[:alpha:][:punct:]]+' '[:x≠y 1'
split '[[:punct:]&&[^+]]+' 'a±+≥'
split '[\\[:punct:]+' 'a[pu+x'
split '[[:^punct:]]+' 'ab±c.d'
