# A dry run says what would be read, computed and needed: 4 maps of 8 x 8 on 12 rows; for
# each of 2 x 4 x 6 x 6 pairs 2 (2 + 2) + 4.
cp $FIXTURES/layers/layers.h5 .
mha --dry-run layers.h5:/x -w layers.h5:/self_attn --heads 4 | sed 's/about [0-9]*/about N/'
