# A training loop of stages, with --vjp, loss and optimize, has the bits of transformer-train: a GPT-2 of one layer.
"$EXAMPLES/training-loop.sh" small
transformer-train -m small/start --init --data small/data.txt --after 4u --lr 1e-2 --quiet -o trained
tdiff trained/model.safetensors small/model/model.safetensors --atol 0 --quiet
tdiff trained/training.h5:/m small/state.h5:/m --atol 0 --quiet
