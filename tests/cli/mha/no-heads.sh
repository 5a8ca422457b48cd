# Without a config.json the number of heads must be said.
cp $FIXTURES/layers/layers.h5 .
mha layers.h5:/x -w layers.h5:/self_attn
