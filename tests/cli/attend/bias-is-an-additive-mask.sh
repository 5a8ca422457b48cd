# A float mask is added to the scores, as a bias is.
. "$TESTDIR/qkv"
pool --bias "$X:/bias" >a.csv
pool --mask "$X:/bias" >b.csv
cmp a.csv b.csv
