# Local quantiles, and the local likelihood of events.
. "$SUPPORT/try.sh"
# The least value that has the share of the weight; at degree 1 lines through two samples.
for t in 0.1 0.5 0.9; do
  nwreg -x 5xf64=1,2,3,4,5 -y 5xf64=5,1,4,2,3 -q 3 --kernel boxcar --bandwidth 9 --quantile $t -O csv | grep '^[-0-9]'
done
nwreg -x 4xf64=0,1,2,3 -y 4xf64=0,10,2,3 -q 3xf64=0,1,3 --kernel boxcar --bandwidth 9 --degree 1 --quantile 0.5 -O csv | grep '^[-0-9]'
nwreg -x 6xf64=1,2,3,4,5,6 -y 6xf64=1,2,9,4,5,6 --quantile 0.5 --kernel boxcar --bandwidth cv:1.5,9,3 --emit bandwidth-curve -o q.h5
tconv q.h5:/bandwidth-curve -O csv --precision 6
# Shares: the mean at degree 0, between 0 and 1 at all degrees, and the limit where all are alike.
for degree in 0 1 2; do
  nwreg -x 6xf64=1,2,3,4,5,6 -y 6xf64=0,0,1,0,1,1 -q 3xf64=0,3.5,9 --bandwidth 3 --degree $degree --family binomial --emit se,band \
    -O csv --precision 6 | grep '^[-0-9]'
done
nwreg -x 4xf64=1,2,3,4 -y 4xf64=0,0,1,1 -q 2xf64=1,4 --kernel boxcar --bandwidth 1 --degree 1 --family binomial -O csv | grep '^[-0-9]'
samples='-x 4xf64=1,2,3,4 -y 4xf64=0,1,1,0 --bandwidth 2'
try nwreg $samples --quantile 1
try nwreg $samples --quantile 0.5 --family binomial
try nwreg $samples --quantile 0.5 --emit se
try nwreg $samples --family binomial --emit weights
try nwreg $samples --quantile 0.5 --robust 1
try nwreg $samples --quantile 0.5 --engine reference
try nwreg $samples --quantile 0.5 --classify
try nwreg -x 4xf64=1,2,3,4 -y 4xf64=0,1,2,3 --bandwidth aicc --quantile 0.5
try nwreg -x 4xf64=1,2,3,4 -y 4xf64=0,1,2,3 --bandwidth 2 --family binomial
try nwreg -x 4xf64=1,2,3,4 -y 4xf64=0,1,1,0 --bandwidth 2 --family binomial -q 1 --emit state -o s.h5
