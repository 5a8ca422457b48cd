#!/bin/sh
# A small language model, a GPT-2 of one layer, learns a line of text in a shell loop: each step goes forward through
# the stages, backward through the same stages with --vjp, and changes the weights. transformer-train has the same bits.
# examples/training-loop.sh FOLDER [STEPS [OPTION]...]: FOLDER/start is the model
# without weights, FOLDER/model the learned one; options are those of optimize.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1 steps=${2-4}
shift $(($# < 2 ? $# : 2))
mkdir -p "$out/start"
cp "$here/dates/tokenizer.json" "$out/start"
cat >"$out/start/config.json" <<'EOF'
{"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 51, "n_positions": 32, "n_embd": 16, "n_layer": 1,
 "n_head": 2, "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "eos_token_id": 2, "bos_token_id": 1,
 "initializer_range": 0.2}
EOF
cd "$out"
echo "3 mars 2021" >data.txt
# A step of length 0 writes the random weights.
transformer-train -m start --init --data data.txt --after 1u --lr 0 --quiet -o model

# The ids, and as labels the next ids; the end has none.
tokenize -m start -O h5 data.txt -f -o ids.h5
tconv ids.h5:/ids --slab :,1: -f -o next.h5:/labels
tconv --concat 1 next.h5:/labels 1x1xi64=-100 -f -o labels.h5

weights=model/model.safetensors
from() { echo "$weights:/transformer.$1"; }
embed_ids() { embed ids.h5:/ids -w "$(from wte)" "$@"; }
add_positions() { posenc e.h5 --kind learned -w "$(from wpe)" "$@"; }
norm() {
  input=$1 name=$2
  shift 2
  addnorm --no-residual "$input" -w "$(from "$name")" "$@"
}
attention() { mha n1.h5 -w "$(from h.0.attn)" --causal "$@"; }
feed_forward() { ffn n2.h5 -w "$(from h.0.mlp)" "$@"; }
logits() { embed --logits n3.h5 -w "$(from wte)" "$@"; }
sum() { addnorm --no-norm "$1" -r "$2" -f -o "$3"; }

for _ in $(seq "$steps"); do
  embed_ids -f -o e.h5
  add_positions -f -o x0.h5
  norm x0.h5 h.0.ln_1 -f -o n1.h5
  attention -f -o a.h5
  sum a.h5 x0.h5 x1.h5
  norm x1.h5 h.0.ln_2 -f -o n2.h5
  feed_forward -f -o f.h5
  sum f.h5 x1.h5 x2.h5
  norm x2.h5 ln_f -f -o n3.h5
  logits | loss --target labels.h5 --emit dy -f -o loss.h5

  # Backward. Each stage adds its gradients, d/NAME, to those of the stage before.
  logits --vjp loss.h5:/dy -f -o d.h5
  norm x2.h5 ln_f --vjp d.h5:/dx --add-gradients d.h5:/d -f -o dx2.h5
  feed_forward --vjp dx2.h5:/dx --add-gradients dx2.h5:/d -f -o d.h5
  norm x1.h5 h.0.ln_2 --vjp d.h5:/dx --add-gradients d.h5:/d -f -o d2.h5
  sum d2.h5:/dx dx2.h5:/dx dx1.h5
  attention --vjp dx1.h5 --add-gradients d2.h5:/d -f -o d.h5
  norm x0.h5 h.0.ln_1 --vjp d.h5:/dx --add-gradients d.h5:/d -f -o d1.h5
  sum d1.h5:/dx dx1.h5 dx0.h5
  add_positions --vjp dx0.h5 --add-gradients d1.h5:/d -f -o d.h5
  embed_ids --vjp d.h5:/dx --add-gradients d.h5:/d -f -o d0.h5
  optimize -w "$weights" -g d0.h5:/d --state state.h5 --lr 1e-2 "$@" -f -o "$weights"
done
