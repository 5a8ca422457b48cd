#!/bin/sh
# A date through the encoder-decoder of dates/, one stage at a time, as in figure 1 of "Attention Is All You Need":
# examples/dates.sh "3 mars 2021" [FOLDER]. What encoder and decoder make of it stays in FOLDER as memory.h5, logits.h5.
set -eu
here=$(dirname "$0")
text=${1-3 mars 2021} model=$here/dates
out=${2-$(mktemp -d)} weights=$model/model.safetensors start=1 end=2

encoder_layer() { "$here/encoder-layer.sh" "$weights:/transformer.encoder.layers.$1"; }
decoder_layer() { "$here/decoder-layer.sh" "$weights:/transformer.decoder.layers.$1" "$out/memory.h5"; }
norm() { addnorm --no-residual -w "$weights:/transformer.$1.norm"; }

printf '%s\n' "$text" | tokenize -m "$model" -O h5 | embed -w "$weights:/embedding" | posenc |
  encoder_layer 0 | encoder_layer 1 | norm encoder >"$out/memory.h5"

ids=$start length=1 next=$start
while [ "$next" -ne $end ] && [ $length -lt 64 ]; do
  embed "1x${length}xi64=$ids" -w "$weights:/embedding" | posenc |
    decoder_layer 0 | decoder_layer 1 | norm decoder | embed --logits -w "$weights:/embedding" >"$out/logits.h5"
  # The most probable token behind the last one: the largest logit of the last row, the first among equals.
  next=$(tconv "$out/logits.h5:/y[0,-1]" -O csv --no-header |
    awk '!/^#/ { if (n == 0 || $1 > best) { best = $1; id = n } n++ } END { print id }')
  ids=$ids,$next length=$((length + 1))
done
echo "$ids" | tr , ' ' | tokenize -m "$model" --decode
