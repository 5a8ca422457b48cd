# A sample that is left out has one neighbour less than there are samples.
nwreg -x 4x1xf64=0,1,2,3 -y 4x1xf64=1,2,3,4 --bandwidth knn:3 --kernel boxcar --loo -O csv --no-header
nwreg -x 4x1xf64=0,1,2,3 -y 4x1xf64=1,2,3,4 --bandwidth knn:4 --kernel boxcar --loo -O csv
