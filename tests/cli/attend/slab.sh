# --slab names the part of an input, without quoting.
. "$TESTDIR/qkv"
pool --slab query=:,:,0:2 --slab key=:,:,:4 --slab value=:,:,:4 >slab.csv
attend -q "$X:/q[:,:,0:2]" -k "$X:/k[:,:,:4]" -v "$X:/v[:,:,:4]" -O csv | cmp - slab.csv
