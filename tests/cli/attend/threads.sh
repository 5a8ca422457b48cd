# The number of threads changes no bit.
. "$TESTDIR/qkv"
pool -t 1 --emit weights -O h5 --no-history >one.h5
pool -t 2 --emit weights -O h5 --no-history >two.h5
cmp one.h5 two.h5
