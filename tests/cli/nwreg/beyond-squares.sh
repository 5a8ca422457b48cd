# Distances whose squares no double holds: far from all samples the result is that of the nearest, by every method.
for method in auto direct series; do
  fit() { nwreg -x 3xf64=0,1,2.5 -y 3xf64=1,2,10 --method $method -O csv --no-header "$@" | grep -v '^#' | tr '\n' ' '; }
  fit --bandwidth 1e-200 -q 3xf64=.2,1.2,2.4
  fit --bandwidth 1 -q 2xf64=1e300,-1e300
  fit --bandwidth 1e-200 -q 3xf64=.2,1.2,2.4 --kernel laplace
  # u grows by 1.5 and by 1 from the nearest sample to the others, however far the query is.
  fit --bandwidth 1 -q 1xf64=1e300 --kernel laplace --precision 12
  echo
done
nwreg -x 4xf64=0,1,2.5,1e200 -y 4xf64=1,2,10,5 --loo --bandwidth 1 -O csv --no-header --precision 6 | tail -n 1
# The derivative far away is that of the limit, and the nearest sample is told apart where distances round to the same.
# (The reference engine is the formula in double, whose squares are infinite there.)
for kernel in laplace gaussian; do
  nwreg -x 3x2xf64=0,1,2.5,1,3,1.7 -y 3xf64=1,2,10 --kernel $kernel --bandwidth 1 -q 2x2xf64=1e155,1e155,-1e300,1e299 \
    --derivative -O csv --no-header | awk -F, '{ print ($1 ^ 2 + $2 ^ 2 < 1e-20) }' | tr '\n' ' '
done
nwreg -x 3xf64=0,1,2.5 -y 3xf64=1,2,10 --kernel boxcar --bandwidth 1 -q 2xf64=1e100,-1e300 --empty nearest --quiet \
  -O csv --no-header | grep -v '^#' | tr '\n' ' '
nwreg -x 3x2xf64=0,1,2.5,1,3,1.7 -y 3xf64=1,2,10 --kernel boxcar --bandwidth 1 -q 2x2xf64=1e100,1,-1e300,1 \
  --empty nearest --quiet -O csv --no-header | grep -v '^#' | tr '\n' ' '
echo
