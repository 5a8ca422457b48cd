# A key must pass every mask.
. "$TESTDIR/qkv"
pool --causal --valid-lens "$X:/lens" >a.csv
pool --mask "$X:/lower" --valid-lens "$X:/lens" >b.csv
cmp a.csv b.csv
