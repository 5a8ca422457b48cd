# Kernels without a width, and with a name of two meanings.
. "$SUPPORT/try.sh"
# The constant kernel has no bandwidth: none is chosen.
flat() { nwreg -x 3xf64=1,2,9 -y 3xf64=1,2,6 --kernel constant "$@"; }
try flat -q 1xf64=50 -O csv
flat -o y.h5
tconv --list y.h5 | grep -c bandwidth || true
try flat --emit bandwidth-curve
# An outlier so far away that the others are one place beside its rounding.
try nwreg -x 6xf64=0,1,2,3,4,1e17 -y 6xf64=1,2,3,1,2,3 -q 1xf64=1 --kernel constant --degree 2 -O csv --emit degree

# epanechnikov is what the literature on attention means by it; a note says so, but not under --quiet.
two() { nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 0.25 --bandwidth 1 -O csv --no-header --kernel "$@"; }
try two epanechnikov
try two epanechnikov --quiet
try two triangular --quiet
