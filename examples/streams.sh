#!/bin/bash
# Streams where files could be, in bash: pipes of several commands as operands, and one tensor for two tools at once.
# examples/streams.sh [FOLDER]
set -euo pipefail
here=$(dirname "$0") folder=${1-.}
model=$here/dates text="3 mars 2021" weights=$here/dates/model.safetensors

# What goes into the first layer of the encoder.
embedded() { tokenize -m "$model" -O h5 <<<"$text" | embed -w "$weights:/embedding" | posenc; }

# Process substitution: an operand can be a command. Here two, compared while they run: the first layer as a pipeline,
# and as transformer-run has it.
tdiff <(embedded | "$here/encoder-layer.sh" "$weights:/transformer.encoder.layers.0") \
  <(transformer-run -m "$model" --emit encoder_hidden_states "$text"):/encoder_hidden_states/1
echo "the first layer is the same, bit for bit"

# FIFOs, in any shell: tee gives what flows through a pipe to a second reader, which keeps the attention weights
# of one head as a table while the result goes on.
fifo=$(mktemp -d)/copy
trap 'rm -r "$(dirname "$fifo")"' EXIT
mkfifo "$fifo"
tconv "$fifo:/weights[0,0]" --no-history -f -o "$folder/first-head.csv" &
embedded | mha -w "$weights:/transformer.encoder.layers.0.self_attn" --emit weights | tee "$fifo" |
  tconv --select y -f -o "$folder/attended.h5"
wait $!
echo "$folder/first-head.csv and $folder/attended.h5 are of one run"
