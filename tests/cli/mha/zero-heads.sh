# No heads at all.
mha $FIXTURES/layers/layers.h5:/x -w $FIXTURES/layers/layers.h5:/self_attn --heads 0
