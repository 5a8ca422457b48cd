# Positions that are added count rows: the layout (B, L, H, d) of heads would number the heads, and is refused.
posenc 1x2x3x4=0 --layout batch-length-heads || echo $?
tconv 1x2x3x4=0 --axes 0,2,1,3 -O h5 | posenc --kind sinusoidal -O npy >y.npy
tconv --list y.npy
# Packed heads of which keys have fewer.
attend -q 1x2x8=1 -k 1x3x4=1 -v 1x3x4=1 --heads 4 || echo $?
attend -q 1x2x8=1 -k 1x3x4=1 -v 1x3x4=1 --heads 4 --kv-heads 2 -O npy >y.npy
tconv --list y.npy
