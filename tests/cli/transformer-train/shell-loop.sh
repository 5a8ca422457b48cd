# A training loop of stages, with --vjp, loss and optimize, has the bits of transformer-train: a GPT-2 of one layer, with
# weight decay of all parameters and of the matrices.
for options in "--weight-decay 0" "--weight-decay 0.1" "--weight-decay 0.1 --decay-matrices-only"; do
  rm -rf small trained
  # shellcheck disable=SC2086
  "$EXAMPLES/training-loop.sh" small 4 $options
  # shellcheck disable=SC2086
  transformer-train -m small/start --init --data small/data.txt --after 4u --lr 1e-2 $options --quiet -o trained
  tdiff trained/model.safetensors small/model/model.safetensors --atol 0 --quiet
  tdiff trained/training.h5:/m small/state.h5:/m --atol 0 --quiet
  tconv trained/model.safetensors -f -o "$(echo "$options" | wc -w).h5"
done
# The three differ.
tdiff 2.h5 3.h5 --quiet >/dev/null || echo "$?"
tdiff 2.h5:/transformer.ln_f.weight 3.h5:/transformer.ln_f.weight --quiet >/dev/null || echo "$?"
