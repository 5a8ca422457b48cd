# An unknown --emit lists the known ones.
cp $FIXTURES/layers/layers.h5 .
mha layers.h5:/x -w layers.h5:/self_attn --heads 4 --emit weight
