# A padding mask of another shape.
cp $FIXTURES/layers/layers.h5 .
mha layers.h5:/x -w layers.h5:/self_attn --heads 4 --padding-mask layers.h5:/mask
