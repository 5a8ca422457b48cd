# knn:K: the distance to the K-th nearest sample; all of them coincident with the query: their mean.
nwreg -x 5xf64=0,1,3,7,7 -y 5xf64=1,2,3,4,6 -q 3xf64=0,3,7 --kernel boxcar --bandwidth knn:2 -O csv --no-header
