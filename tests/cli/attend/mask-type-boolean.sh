# --mask-type boolean makes a float mask of 0 and 1 a boolean one.
. "$TESTDIR/qkv"
tconv "$X:/mask" -o mask.csv
pool --mask "$X:/mask" >a.csv
pool --mask mask.csv --mask-type boolean >b.csv
cmp a.csv b.csv
