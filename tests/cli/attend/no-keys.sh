# Without keys every row is empty; without queries there is no row, and that is no error.
attend -q 2x1xf64=1,2 -k 0x1xf64= -v 0x2xf64= -O csv
attend -q 0x1xf64= -k 2x1xf64=1,2 -v 2x2xf64=1,2,3,4 -o y.h5
tconv y.h5 -O csv
