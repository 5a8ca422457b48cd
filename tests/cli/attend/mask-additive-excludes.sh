# Minus infinity in an additive mask is exclusion.
. "$TESTDIR/qkv"
pool --mask "$X:/mask" >a.csv
pool --mask "$X:/mask_bias" >b.csv
cmp a.csv b.csv
