# A prefix without a feed-forward network below it.
cp $FIXTURES/layers/layers.h5 .
ffn layers.h5:/x -w layers.h5:/norm
