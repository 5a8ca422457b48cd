# A number of heads that does not divide the width.
cp $FIXTURES/layers/layers.h5 .
mha layers.h5:/x -w layers.h5:/self_attn --heads 3
