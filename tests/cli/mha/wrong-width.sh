# An input of another width than the weights.
cp $FIXTURES/layers/layers.h5 .
mha layers.h5:/bias[0,:,:,:4] -w layers.h5:/self_attn --heads 4
