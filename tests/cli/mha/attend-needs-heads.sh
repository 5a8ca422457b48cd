# The attend stage takes heads, (B, H, L, d), or (H, L, d): as many as are said.
cp $FIXTURES/layers/layers.h5 .
mha --stage attend layers.h5:/x -w layers.h5:/self_attn --heads 4
