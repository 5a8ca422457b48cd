# --mask-type additive adds an integer mask to the scores.
. "$TESTDIR/qkv"
pool --bias 1x9xf64=0,1,2,3,4,5,6,7,8 >a.csv
pool --mask 1x9xi32=0,1,2,3,4,5,6,7,8 --mask-type additive >b.csv
cmp a.csv b.csv
