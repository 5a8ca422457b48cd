# --mask-invert reads 1 as "takes no part".
. "$TESTDIR/qkv"
pool --mask "$X:/mask" >a.csv
pool --mask "$X:/not_mask" --mask-invert >b.csv
cmp a.csv b.csv
