# One database (S, d) serves queries of any rank.
. "$TESTDIR/qkv"
attend -q "$X:/q[0]" -k "$X:/k[0,0]" -v "$X:/v[0,0]" -O csv >three.csv
attend -q "$X:/q[0:1]" -k "$X:/k[0,0]" -v "$X:/v[0,0]" -o four.h5
tconv four.h5:/y[0] -O csv | cmp - three.csv
