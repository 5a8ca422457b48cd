# --alibi takes the slopes 2^(-8 h / H).
. "$TESTDIR/qkv"
pool --alibi >a.csv
pool --alibi-slopes "$X:/default_slopes" >b.csv
cmp a.csv b.csv
