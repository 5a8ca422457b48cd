# No samples, one sample, no queries, all samples in one place.
nwreg -x 0xf64= -y 0xf64= -q 2xf64=1,2 --bandwidth 1 --quiet -O csv --no-header
nwreg -x 1xf64=3 -y 1xf64=4 -q 2xf64=3,1e9 --bandwidth 1 -O csv --no-header
nwreg -x 1xf64=3 -y 1xf64=4 -q 0xf64= --bandwidth 1 -O csv --no-header
nwreg -x 3xf64=2,2,2 -y 3xf64=1,2,6 --bandwidth 1 -O csv --no-header
nwreg -x 3xf64=2,2,2 -y 3xf64=1,2,6 -o y.h5 || echo $?
# A number is one sample.
nwreg -x 1e300 -y 1 --bandwidth 2 -O csv --no-header
nwreg -x 1e300 -y 1 -o y.h5 || echo $?
# Without samples there is no nearest one.
nwreg -x 0xf64= -y 0xf64= -q 1xf64=1 --bandwidth 1 --empty nearest -O csv --no-header
