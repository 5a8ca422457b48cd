# Valid lengths (B, H, L) are those of each query of each head.
. "$TESTDIR/qkv"
pool --valid-lens "$X:/lens_bhl" >a.csv
pool --mask "$X:/lens_bhl_mask" >b.csv
cmp a.csv b.csv
