# Valid lengths (B, L) are those of each query.
. "$TESTDIR/qkv"
pool --valid-lens "$X:/lens_bl" >a.csv
pool --mask "$X:/lens_bl_mask" >b.csv
cmp a.csv b.csv
