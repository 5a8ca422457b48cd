# NaN in a query stays in its row; infinity in x is an error.
nwreg -x 3xf64=0,1,2 -y 3xf64=1,2,3 -q 3xf64=0,nan,2 --bandwidth 0.01 -O csv --no-header
nwreg -x 3xf64=0,inf,2 -y 3xf64=1,2,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=0,nan,2 -y 3xf64=1,2,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=0,1,2 -y 3xf64=1,inf,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=0,1,2 -y 3xf64=1,2,3 --weights 3xf64=1,-1,1 --bandwidth 1 -o y.h5 || echo $?
test ! -e y.h5
