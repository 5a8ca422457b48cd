# Errors and bands are those of what is written: of slopes, and of predictions from the others.
. "$SUPPORT/try.sh"
cp "$CONFORMANCE/kernel-regression/mcycle.csv" .
nwreg -x mcycle.csv:/times -y mcycle.csv:/accel -q 1xf64=20 --degree 1 --bandwidth 2 --derivative --emit se,band -O csv --precision 6
nwreg -x mcycle.csv:/times -y mcycle.csv:/accel -q 1xf64=20 --degree 1 --bandwidth 2 --emit se,band -O csv --precision 6
# Per output and column, and in the units of x with --standardize.
nwreg -x "$CONFORMANCE/kernel-regression/airquality.csv:/Wind,Temp" -y "$CONFORMANCE/kernel-regression/airquality.csv:/Ozone" \
  -q 1x2xf64=10,80 --degree 1 --bandwidth 3,9 --derivative --emit se,band -O csv --precision 6
nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --degree 1 --bandwidth 0.2 --standardize --derivative --emit se -o a.h5
nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --degree 1 --bandwidth knn:40 --derivative --emit se -o b.h5
tconv --list a.h5 b.h5
# Every method has the same errors.
for degree in 1 2; do
  for kernel in gaussian tricube laplace; do
    nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --kernel $kernel --degree $degree --bandwidth 6 --derivative --emit se,band \
      --method direct -o direct.h5 -f
    case $kernel in tricube) method=window ;; *) method=series ;; esac
    nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --kernel $kernel --degree $degree --bandwidth 6 --derivative --emit se,band \
      --method $method -o moments.h5 -f
    tdiff direct.h5 moments.h5 --rtol 1e-9 --atol 1e-7
  done
done
# Predictions: the window without the sample.
nwreg -x 4xf64=0,1,2,3 -y 4xf64=1,3,2,5 --kernel boxcar --bandwidth 1 --loo --emit se,band -O csv --precision 6
try nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --bandwidth 2 --derivative --emit se --engine reference
try nwreg -x mcycle.csv:/times -y mcycle.csv:/accel --bandwidth 2 --derivative --emit neff
try nwreg -x mcycle.csv:/times,accel -y mcycle.csv:/accel --bandwidth 2x2xf64=4,1,1,9 --derivative --emit se
