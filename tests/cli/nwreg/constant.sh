# The constant kernel has no bandwidth: none is chosen.
nwreg -x 3xf64=1,2,9 -y 3xf64=1,2,6 -q 1xf64=50 --kernel constant -O csv
nwreg -x 3xf64=1,2,9 -y 3xf64=1,2,6 --kernel constant -o y.h5
tconv --list y.h5 | grep -c bandwidth || true
nwreg -x 3xf64=1,2,9 -y 3xf64=1,2,6 --kernel constant --emit bandwidth-curve 2>&1 || echo $?
# An outlier so far away that the others are one place beside its rounding.
nwreg -x 6xf64=0,1,2,3,4,1e17 -y 6xf64=1,2,3,1,2,3 -q 1xf64=1 --kernel constant --degree 2 -O csv --emit degree
