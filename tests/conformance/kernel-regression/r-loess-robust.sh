# loess of R 4.2.2 (surface = "direct"), family gaussian and symmetric, one and two columns, also divided by their trimmed
# standard deviations as loess does; locfit with a share of the samples; numbers of neighbours by leave-one-out.
t=$TESTDIR
. "$SUPPORT/regression_cases.sh"
awk -F, 'NR == 1 { print; next } { printf "%.17g,%.17g,%s\n", $1 / 2.34426723469277, $2 / 6.70937902058408, $3 }' \
  "$t/airquality.csv" >scaled.csv
check_fits "$t/loess.cases" 1e-7
check_chosen "$t/neighbours-chosen.cases" 0
