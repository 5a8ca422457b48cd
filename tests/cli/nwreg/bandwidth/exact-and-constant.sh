# Data that a polynomial of the degree predicts say nothing about the width, and data that ask for the narrowest are told so.
# The constant kernel has no width, and a wrong word is refused all the same.
awk 'BEGIN { print "x,y,q"; for (i = 0; i < 60; i++) { x = i * 17 % 61 / 6; printf "%.17g,%.17g,%.17g\n", x, 2 * x + 1, x * x - 3 * x + 2 } }' >d.csv
fit() { nwreg -x d.csv:/x -q 5 -O csv "$@" 2>&1 | grep -v '^y\|^q\|^#\|^[0-9]' || echo none; }
fit -y d.csv:/y --degree 1 | grep -o 'y is.*'
fit -y d.csv:/q --degree 2 --bandwidth aicc --kernel tricube | grep -o 'y is.*'
fit -y d.csv:/q --degree 1 | grep -o 'the bandwidth is at.*'
for word in silverman -3 knn:500 none.csv:/x 2 knn:5 cv; do fit -y d.csv:/y --kernel constant --bandwidth $word; done
