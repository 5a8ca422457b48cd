# Three axes are batches unless --layout says heads: what a mask of heads shows.
. "$TESTDIR/qkv"
attend -q "$X:/q[0]" -k "$X:/k[0]" -v "$X:/v[0]" --layout heads-first --bias "$X:/bias[0]" -O csv >heads.csv
attend -q "$X:/q[0:1]" -k "$X:/k[0:1]" -v "$X:/v[0:1]" --bias "$X:/bias" -o four.h5
tconv four.h5:/y[0] -O csv >four.csv
cmp heads.csv four.csv
attend -q "$X:/q[0]" -k "$X:/k[0]" -v "$X:/v[0]" 2>message || cat message | sed "s|$X|X|g"
