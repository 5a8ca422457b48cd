# An outlier does not move a robust fit of a line; weights of 0 leave the neighbours as they are.
awk 'BEGIN { print "x,y"; for (i = 0; i < 21; i++) print i "," (i == 10 ? 60 : 2 * i + i % 3 - 1) }' >d.csv
for robust in 0 1 3; do
  nwreg -x d.csv:/x -y d.csv:/y -q 3xf64=5,10,15 --kernel tricube --degree 1 --bandwidth knn:80% --robust $robust \
    -O csv --precision 4 | tail -n +2 | tr '\n' ' '
  echo
done
nwreg -x d.csv:/x -y d.csv:/y --kernel tricube --degree 1 --bandwidth knn:16 --robust 3 -o by-count.npy
nwreg -x d.csv:/x -y d.csv:/y --kernel tricube --degree 1 --bandwidth knn:80% --robust 3 -o by-share.npy
tdiff --quiet by-count.npy by-share.npy
# A sample of robust weight 0 stays a neighbour; one whose own weight is 0 is none.
for engine in auto reference; do
  for weights in 12=1 12=1,1,1,1,1,0,1,1,1,1,1,1; do
    nwreg -x linspace=0,11,12 -y 12xf64=0,2,1,4,3,90,5,8,7,10,9,12 --weights $weights -q 1xf64=5 --kernel tricube \
      --bandwidth knn:6 --robust 1 --engine $engine -O csv --precision 9 --no-header
  done
done
nwreg -x d.csv:/x -y d.csv:/y --kernel tricube --degree 1 --quiet --bandwidth knn:cv -o cv.h5 --emit bandwidth-curve
tconv --list cv.h5 | grep -e @bandwidth -e "^bandwidth"
nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth knn:cv --quiet -O csv
# A constant fits itself: there is no limit, and the first fit stays.
nwreg -x 4=1,2,3,4 -y 4=5,5,5,5 --bandwidth 1 --robust 2 -O csv
try() { code=0; nwreg -x d.csv:/x "$@" -O csv 2>&1 || code=$?; echo "exit $code"; }
try -y d.csv:/x,y --bandwidth 1 --robust 1 -q 3
try -y d.csv:/y --bandwidth 1 --robust 1 --classify
try -y d.csv:/y --bandwidth knn:0%
try -y d.csv:/y --bandwidth knn:150%
