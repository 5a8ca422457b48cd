# A window is a band of the mask.
. "$TESTDIR/qkv"
pool --window 2,1 >a.csv
pool --mask "$X:/band" >b.csv
cmp a.csv b.csv
