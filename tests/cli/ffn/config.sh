# The activation comes from the config.json beside the weights, and an option overrides it.
L=$FIXTURES/layers/layers.h5
mkdir model
tconv $L -o model/weights.h5
echo '{"activation_function": "gelu_new"}' >model/config.json
ffn $L:/x -w model/weights.h5:/ffn -o a.h5
ffn $L:/x -w $L:/ffn --activation gelu-tanh | tdiff - a.h5
ffn $L:/x -w model/weights.h5:/ffn --activation silu -o b.h5
ffn $L:/x -w $L:/ffn --activation silu | tdiff - b.h5
