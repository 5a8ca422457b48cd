# loess of R 4.2.2 (surface = "direct"), family gaussian and symmetric, one and two columns, also divided by their trimmed
# standard deviations as loess does; locfit with a share of the samples; numbers of neighbours by leave-one-out.
t=$TESTDIR
. "$SUPPORT/regression_cases.sh"
awk -F, 'NR == 1 { print; next } { printf "%.17g,%.17g,%s\n", $1 / 2.34426723469277, $2 / 6.70937902058408, $3 }' \
  "$t/airquality.csv" >scaled.csv
check_fits "$t/loess.cases" 1e-7
check_chosen "$t/neighbours-chosen.cases" 0
# The whole curves of the leave-one-out loss over the numbers of neighbours, by NumPy.
while IFS='	' read -r options curve; do
  eval "nwreg $options --emit bandwidth-curve -o curve.h5 -f --quiet"
  tconv curve.h5:/bandwidth-curve -O csv --precision 17 --no-header | awk -F, -v expected="$curve" '
    { found[$1 + 0] = $2 }
    END {
      count = split(expected, points, ",")
      for (i = 1; i <= count; ++i) {
        split(points[i], point, ":")
        share = found[point[1]] / point[2] - 1
        if (share > 1e-10 || share < -1e-10) print "knn:" point[1] " is " found[point[1]] ", expected " point[2]
      }
      print count " numbers of neighbours" }'
done <"$t/neighbours-curves.cases"
