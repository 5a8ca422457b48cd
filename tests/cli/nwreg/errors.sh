# Bandwidths that the samples cannot have.
. "$SUPPORT/try.sh"
# A sample that is left out has one neighbour less than there are samples.
try nwreg -x 4x1xf64=0,1,2,3 -y 4x1xf64=1,2,3,4 --bandwidth knn:3 --kernel boxcar --loo -O csv --no-header
try nwreg -x 4x1xf64=0,1,2,3 -y 4x1xf64=1,2,3,4 --bandwidth knn:4 --kernel boxcar --loo -O csv
# A column of equal numbers has no spread, also where their mean is off by a rounding: 0.1 has no exact double.
awk 'BEGIN { print "k,y"; for (i = 0; i < 2000; i++) print "0.1," i % 7 }' >k.csv
try nwreg -x k.csv:/k -y k.csv:/y --bandwidth rot -O csv
