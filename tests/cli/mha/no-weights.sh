# A prefix that has no weights below it.
cp $FIXTURES/layers/layers.h5 .
mha layers.h5:/x -w layers.h5:/cross_attn --heads 4
