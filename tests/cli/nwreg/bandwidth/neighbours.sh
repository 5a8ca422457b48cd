# knn:K: the distance to the K-th nearest sample; all of them coincident with the query: their mean.
nwreg -x 5xf64=0,1,3,7,7 -y 5xf64=1,2,3,4,6 -q 3xf64=0,3,7 --kernel boxcar --bandwidth knn:2 -O csv --no-header
# A share of the samples is a count of neighbours.
awk 'BEGIN { print "x,y"; for (i = 0; i < 50; i++) print i "," i * i }' >d.csv
for width in knn:15 knn:30%; do nwreg -x d.csv:/x -y d.csv:/y --bandwidth $width -q 25 -O csv --precision 12; done

# In several columns too the K-th neighbour is in reach: of the boxcar just K count, whatever the method and the engine.
seq 1 600 | awk '{ s = (s * 16807 + $1) % 2147483647; printf "%.17g%s", s / 2147483647, NR % 3 ? "," : "\n" }' >x.csv
for how in '--method direct' '--method tree' '--engine reference'; do
  for k in 1 2 7; do
    # shellcheck disable=SC2086
    nwreg -x x.csv:/0,1 -y x.csv:/2 --loo --kernel boxcar --bandwidth knn:$k $how --emit neff -o fit.h5 -f
    tconv fit.h5:/neff -O csv --no-header | grep -v '^#' | sort -u
  done
done

# Where the K-th neighbour is where the query is, the mean of all there has no slope.
for engine in auto reference; do
  nwreg -x 4xf64=2,2,2,5 -y 4xf64=1,2,6,9 -q 2xf64=2,5 --kernel triangular --bandwidth knn:3 --emit derivative \
    -O csv --engine $engine --precision 6
done
