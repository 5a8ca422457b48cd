# A past in front is the longer sequence; --emit keys,values writes what was attended to.
. "$TESTDIR/qkv"
attend -q "$X:/q" -k "$X:/k[:,:,4:]" -v "$X:/v[:,:,4:]" --past-key "$X:/k[:,:,:4]" --past-value "$X:/v[:,:,:4]" --emit keys,values -o joined.h5
pool >whole.csv
tconv joined.h5:/y -O csv >joined.csv
cmp whole.csv joined.csv
tdiff joined.h5:/keys "$X:/k"
tdiff joined.h5:/values "$X:/v"
