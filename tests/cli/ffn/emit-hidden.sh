# --emit hidden adds what is between the two layers, and nothing else.
d=$EXAMPLES/dates/model.safetensors:/transformer.encoder.layers.0
posenc --length 3 --dim 128 | ffn -w "$d" --emit hidden -o y.h5
tconv --list y.h5 | grep -o '^[a-z]\+  *([0-9, ]*)'
