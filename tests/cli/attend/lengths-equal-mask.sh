# Valid lengths (B) exclude the keys from there on.
. "$TESTDIR/qkv"
pool --valid-lens "$X:/lens" >a.csv
pool --mask "$X:/lens_mask" >b.csv
cmp a.csv b.csv
