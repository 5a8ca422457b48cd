# ALiBi subtracts slope times distance.
. "$TESTDIR/qkv"
pool --alibi-slopes "$X:/slopes" >a.csv
pool --bias "$X:/alibi" >b.csv
cmp a.csv b.csv
