# Queries, keys and values come through a pipe, one image or two behind each other.
. "$TESTDIR/qkv"
tconv "$X:/q" -o in.h5:/q
tconv "$X:/k" -A -o in.h5:/k
tconv "$X:/v" -A -o in.h5:/v
pool >direct.csv
attend -O csv <in.h5 | cmp - direct.csv
attend in.h5 -O csv | cmp - direct.csv
attend <in.h5 >one.h5
cat in.h5 in.h5 | attend >two.h5
cat one.h5 one.h5 | cmp - two.h5
