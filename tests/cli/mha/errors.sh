# Each error has one line that says what is wrong.
. "$SUPPORT/try.sh"
cp "$FIXTURES/layers/layers.h5" .
try mha layers.h5:/x -w layers.h5:/self_attn --heads 4 --emit weight
# A prefix that has no weights below it.
try mha layers.h5:/x -w layers.h5:/cross_attn --heads 4
# An input of another width than the weights.
try mha layers.h5:/bias[0,:,:,:4] -w layers.h5:/self_attn --heads 4

# Without a config.json the number of heads must be given, and the width must be a multiple of it.
try mha layers.h5:/x -w layers.h5:/self_attn
try mha layers.h5:/x -w layers.h5:/self_attn --heads 0
try mha layers.h5:/x -w layers.h5:/self_attn --heads 3

# The attend stage takes heads, (B, H, L, d) or (H, L, d), as many as are given. If they are on the third axis, the
# message says how to bring them to the second.
try mha --stage attend layers.h5:/x -w layers.h5:/self_attn --heads 4
tconv linspace=0,1,96 -o flat.npy
tconv flat.npy --reshape 1,3,4,8 -o x.npy
try mha --stage attend --heads 4 -q x.npy -k x.npy -v x.npy

# A padding mask of another shape, and one of floats that are only 0 and 1: its type must be given.
try mha layers.h5:/x -w layers.h5:/self_attn --heads 4 --padding-mask layers.h5:/mask
try mha layers.h5:/x[1:] -w layers.h5:/self_attn --heads 4 --padding-mask 1x6=1,1,1,1,0,0 -o e.h5
