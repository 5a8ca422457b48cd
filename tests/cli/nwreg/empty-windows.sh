# What a query without a sample in reach yields.
for ruling in nan nearest zero; do
  nwreg -x 2xf64=0,1 -y 2xf64=5,7 -q 2xf64=0,9 --kernel boxcar --bandwidth 0.5 --empty $ruling -O csv --no-header
done
nwreg -x 2xf64=0,1 -y 2xf64=5,7 -q 2xf64=0,9 --kernel boxcar --bandwidth 0.5 --empty error -o y.h5 || echo $?
test ! -e y.h5
