# locfit 1.5-9.7: kappa0 of the Gaussian with h = 2, degrees 0 to 2, gives the critical values 2.79984288533,
# 2.84115738749 and 2.94919088489 at 0.95.
x="$EXAMPLES/cars.csv:/speed" y="$EXAMPLES/cars.csv:/dist"
for degree in 0 1 2; do
  nwreg -x "$x" -y "$y" -q linspace=4,25,20 --degree $degree --bandwidth 2 --band simultaneous --emit se,band -O csv |
    awk -F, 'NR == 2 { printf "%.6f %.6f\n", ($1 - $3) / $2, ($4 - $1) / $2 }'
done
# One place: the normal distribution.
nwreg -x "$x" -y "$y" -q 2xf64=15,15 --bandwidth 2 --band simultaneous --emit se,band -O csv |
  awk -F, 'NR == 2 { printf "%.6f\n", ($4 - $1) / $2 }'
# The middle of a corrected band is the fit of degree 2.
nwreg -x "$x" -y "$y" -q 2xf64=4,15 --degree 1 --bandwidth 4 --band corrected --emit band -O csv |
  awk -F, 'NR > 1 { printf "%.9g\n", ($2 + $3) / 2 }'
nwreg -x "$x" -y "$y" -q 2xf64=4,15 --degree 2 --bandwidth 4 -O csv --precision 9
# Any number of threads.
for band in simultaneous corrected; do
  for threads in 1 3; do
    nwreg -x "$x" -y "$y" --degree 2 --bandwidth 4 --kernel tricube --band $band --emit band --threads $threads \
      -o $band$threads.csv --quiet
  done
  cmp ${band}1.csv ${band}3.csv
done
# A block of one sample is that of cv.
nwreg -x "$x" -y "$y" -q 1xf64=15 --bandwidth cv:block=1 -O csv --precision 6 2>&1
nwreg -x "$x" -y "$y" -q 1xf64=15 -O csv --precision 6 --quiet
refused() { nwreg -x "$x" -y "$y" --bandwidth 2 "$@" -O csv 2>&1 || true; }
refused --band corrected
refused --emit band --band corrected --derivative
refused --emit band --band simultaneous --loo
refused --emit band --band simultaneous --bandwidth knn:9
refused --emit band --band simultaneous --kernel boxcar
refused --emit band --band simultaneous --causal
refused --bandwidth cv:block=x
refused --bandwidth cv:block=40
