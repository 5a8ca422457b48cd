# --causal-bottom-right lets the last query see the last key.
. "$TESTDIR/qkv"
pool --causal-bottom-right >a.csv
pool --mask "$X:/lower_right" >b.csv
cmp a.csv b.csv
