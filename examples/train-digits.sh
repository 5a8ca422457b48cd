#!/bin/sh
# Trains a small picture transformer to read handwritten digits: examples/train-digits.sh [FOLDER [EPOCHS]].
# digits.h5 beside this script has 1797 pictures of 8 x 8 pixels; every fifth one is held out. FOLDER/model is the model,
# which transformer-run -m takes, and FOLDER/accuracy.png its curve. 20 epochs take about 20 seconds on one core;
# then 98 % of the held-out pictures are right.
set -eu
here=$(dirname "$0")
out=${1-digits-trained} epochs=${2-20}
mkdir -p "$out/start"
cat >"$out/start/config.json" <<'EOF'
{"model_type": "vit", "architectures": ["ViTForImageClassification"], "image_size": 8, "patch_size": 2,
 "num_channels": 1, "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 128,
 "hidden_act": "gelu", "initializer_range": 0.1,
 "id2label": {"0": "zero", "1": "one", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
              "8": "eight", "9": "nine"}}
EOF

# Pictures 0, 5, 10 ... are for validation, all others for training.
rm -f "$out/train.h5" "$out/valid.h5"
for name in pictures labels; do
  all=$here/digits.h5:/$name
  tconv "${all}[0::5]" -A -o "$out/valid.h5:/$name"
  tconv --concat 0 "${all}[1::5]" "${all}[2::5]" "${all}[3::5]" "${all}[4::5]" -A -o "$out/train.h5:/$name"
done

transformer-train -m "$out/start" --init --data "$out/train.h5" --valid "$out/valid.h5" --after "${epochs}e" \
  --batch 16 --lr 2e-3 --schedule cosine --warmup 50 --clip-norm 1 --weight-decay 0.5 -o "$out/model" --resume
tplot --curves "$out/model/log.csv:/accuracy" -x "$out/model/log.csv:/epoch" --xlabel epoch \
  --ylabel "accuracy on held-out pictures" -f -o "$out/accuracy.png"

# How many of the held-out pictures have the largest logit at their digit?
transformer-run -m "$out/model" --pixels "$out/valid.h5:/pictures" --emit logits -f -o "$out/logits.h5"
tconv "$out/logits.h5:/logits" -O csv --no-header >"$out/logits.csv"
tconv "$out/valid.h5:/labels" -O csv --no-header | paste -d , - "$out/logits.csv" | awk -F , '
  { best = 2; for (i = 3; i <= NF; i++) if ($i > $best) best = i; right += best - 2 == $1 }
  END { print right + 0 " of " NR " held-out pictures are right" }'
