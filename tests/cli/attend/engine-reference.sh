# The reference engine gives the same to rounding.
. "$TESTDIR/qkv"
pool --causal --engine reference -O h5 -o reference.h5
pool --causal --check reference.h5 --atol 1e-14 -O h5 -o y.h5
