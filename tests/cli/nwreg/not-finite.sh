# NaN in a query stays in its row; infinity in x is an error.
nwreg -x 3xf64=0,1,2 -y 3xf64=1,2,3 -q 3xf64=0,nan,2 --bandwidth 0.01 -O csv --no-header
nwreg -x 3xf64=0,inf,2 -y 3xf64=1,2,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=0,nan,2 -y 3xf64=1,2,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=0,1,2 -y 3xf64=1,inf,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=0,1,2 -y 3xf64=1,2,3 --sample-weights 3xf64=1,-1,1 --bandwidth 1 -o y.h5 || echo $?
test ! -e y.h5
# Infinite queries are counted with them; labels too.
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 4xf64=inf,2,nan,-inf --bandwidth 1 --degree 1 -O csv --precision 3
nwreg -x 3xf64=1,2,3 -y str=a,b,b --classify -q 2xf64=inf,2 --bandwidth 1 -O csv
