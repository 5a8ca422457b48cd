# Bandwidths that are none, and those that the samples cannot have: the error names what there is.
. "$SUPPORT/try.sh"
awk 'BEGIN { print "x,y"; for (i = 0; i < 50; i++) print i "," i * i }' >d.csv
width() { nwreg -x d.csv:/x -y d.csv:/y -O csv --bandwidth "$@"; }

# Words of other programs, and slips.
for word in silverman scott bcv auto 30% span:0.3 span=0.3 knn:0.3 knn=5 knn:0 h=2 1/2 CV KNN:2 '' none.csv; do
  try width "$word"
done
# A word that is longer than any file's name is a mistake like a shorter one.
for format in KNN:%03d KNN:%0300d x%0300d; do
  # shellcheck disable=SC2059
  try width "$(printf "$format" 1)" | tr -s 0
done
# Too narrow for distances to keep their digits.
try width 1e-310

# A grid is LOW,HIGH,N.
for grid in cv: cv:1,2 cv:2,1,5 cv:0,1,5 cv:1,2,1 cv:1,2,2.5 cv:a,b,c; do try width $grid; done
try width cv:1,2,3 --vjp 1

# Two columns: a matrix that is no metric, widths that are none, and the wrong number of them.
cp "$EXAMPLES/airquality.csv" .
columns() { nwreg -x airquality.csv:/Wind,Temp -y airquality.csv:/Ozone -o none.h5 --bandwidth "$@"; }
for h in 2x2xf64=1,2,2,1 2x2xf64=1,0.5,0.4,1 0 -1 nan 1,2,3 knn:0 knn:1000; do try columns $h; done

# A sample that is left out has one neighbour less than there are samples.
four() { nwreg -x 4x1xf64=0,1,2,3 -y 4x1xf64=1,2,3,4 --kernel boxcar --loo -O csv --no-header --bandwidth "$@"; }
try four knn:3
try four knn:4

# A column of equal numbers has no spread, also where their mean is off by a rounding: 0.1 has no exact double.
awk 'BEGIN { print "k,y"; for (i = 0; i < 2000; i++) print "0.1," i % 7 }' >k.csv
try nwreg -x k.csv:/k -y k.csv:/y --bandwidth rot -O csv
try nwreg -x 3x2xf64=1,5,2,5,3,5 -y 3xf64=1,2,3 --bandwidth rot -o z.h5
