# Causal attention is attention under the lower triangular mask.
. "$TESTDIR/qkv"
pool --causal >a.csv
pool --mask "$X:/lower" >b.csv
cmp a.csv b.csv
