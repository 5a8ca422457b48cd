# A dry run says what would be read, computed and needed: 4 maps of 8 x 8 on 12 rows, scores and pooling of 2 x 6 x 6 x 8.
cp $FIXTURES/layers/layers.h5 .
mha --dry-run layers.h5:/x -w layers.h5:/self_attn --heads 4
