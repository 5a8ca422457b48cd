# The same weights in other files and under other names: the same bits. Files that do not fit: one line each.
source=$CONFORMANCE/models/bert-masked-lm
mkdir m
cp "$source/config.json" m
run() { transformer-run -m m --ids 1x5xi64=2,7,9,5,3 -f -o "$1"; }
same() { run y.h5 && tdiff y.h5 expected.h5 --rtol 0 --atol 0 && echo "$1: same"; }
refused() { run y.h5 2>&1 && echo "no error" || echo "$?"; }
only() { rm -f m/*.safetensors m/*.h5 m/*.index.json && cat >m/model.safetensors; }
renamed() { # SED: the names changed by it
  renames=$(tconv --list "$source/model.safetensors" | awk '/^[a-z]/ { print $1 }' |
    sed "s|.*|&=&|;$1" | awk -F= '$1 != $2' | paste -sd , -)
  tconv "$source/model.safetensors" --rename "$renames" -O safetensors | only
}
cp "$source/model.safetensors" m && run expected.h5
tconv m/model.safetensors -o m/model.h5 && rm m/model.safetensors && same "one HDF5 file"
renamed 's|=bert\.|=|' && same "a base without its prefix"
renamed 's|=|=module.|' && same "a prefix in front"
renamed 's|=bert\.|=model.|' && same "another base"
renamed 's|LayerNorm.weight$|LayerNorm.gamma|;s|LayerNorm.bias$|LayerNorm.beta|' && same "old names"
renamed 's|=cls.predictions.bias|=cls.predictions.decoder.bias|;s|=bert.embeddings.word_embeddings|=cls.predictions.decoder|' &&
  same "a tied tensor under its other name"
{ tconv "$source/model.safetensors" -o all.h5 && tconv "$source/model.safetensors" --select '*word_embeddings*' --rename \
  bert.embeddings.word_embeddings.weight=cls.predictions.decoder.weight -A -o all.h5 && tconv 1x40xi64=1 -A \
  -o all.h5:/bert.embeddings.position_ids; } 2>/dev/null || true
tconv all.h5 -O safetensors | only && same "a tied tensor twice, and a buffer"
tconv all.h5:/cls.predictions.decoder.weight --slab ::-1 -f -A -o all.h5:/cls.predictions.decoder.weight 2>/dev/null ||
  tconv 320x32xf32=1 -f -A -o all.h5:/cls.predictions.decoder.weight
tconv all.h5 -O safetensors | only && refused
tconv 3xf32=1,2,3 -A -o all.h5:/bert.extra.weight && tconv all.h5 --select 'bert*' --select 'cls.predictions.bias' \
  --select 'cls.predictions.t*' -O safetensors | only && refused

# In two files with an index.
rm -f m/*.safetensors
tconv "$source/model.safetensors" --select 'bert.emb*' -o m/model-00001-of-00002.safetensors
tconv "$source/model.safetensors" --select 'bert.enc*' --select 'cls*' -o m/model-00002-of-00002.safetensors
index() { # SED
  tconv --list "$source/model.safetensors" | awk '/^[a-z]/ { print $1 }' | sed "s|.*|\"&\": \"model-00002-of-00002.safetensors\"|
    /bert.emb/s|00002-of|00001-of|;$1" | paste -sd , - | sed 's|.*|{"metadata": {}, "weight_map": {&}}|' >m/model.safetensors.index.json
}
index '' && same "two files"
index '/LayerNorm.bias/s|0000[12]-of|00003-of|' && refused
index '/bert.embeddings.LayerNorm.bias/s|00001-of|00002-of|' && refused
index '/bert.embeddings.LayerNorm.bias/d' && refused
index 's|"model-0|"../model-0|' && refused
echo '{"weight_map": [' >m/model.safetensors.index.json && refused
