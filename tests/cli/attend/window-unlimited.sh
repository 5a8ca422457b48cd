# -1 in a window is no limit: to the left it is causal attention.
. "$TESTDIR/qkv"
pool --window -1,0 >a.csv
pool --causal >b.csv
cmp a.csv b.csv
