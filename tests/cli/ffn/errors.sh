# Weights and a configuration that cannot be used.
. "$SUPPORT/try.sh"
cp "$FIXTURES/layers/layers.h5" .
# A prefix without a feed-forward network below it.
try ffn layers.h5:/x -w layers.h5:/norm
# An activation in config.json that is not known.
echo '{"hidden_act": "prelu"}' >config.json
try ffn layers.h5:/x -w layers.h5:/ffn
