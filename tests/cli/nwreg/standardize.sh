# Scaled columns: the unit of measurement makes no difference.
awk -F, 'NR == 1 { print; next } { print $1 * 1000 "," $2 "," $3 }' "$EXAMPLES/airquality.csv" >grams.csv
nwreg -x "$EXAMPLES/airquality.csv:/Wind,Temp" -y "$EXAMPLES/airquality.csv:/Ozone" --standardize --bandwidth 0.4 -o a.h5
nwreg -x grams.csv:/Wind,Temp -y grams.csv:/Ozone --standardize --bandwidth 0.4 -o b.h5
tdiff a.h5:/y b.h5:/y --rtol 1e-11
nwreg -x grams.csv:/Wind,Temp -y grams.csv:/Ozone --bandwidth 0.4 -o c.h5
if tdiff a.h5:/y c.h5:/y >/dev/null; then echo "--standardize is ignored"; fi

# Derivatives beside --standardize are by the columns as they were given: the same as with widths in their units.
nwreg -x 3xf64=2,4,6 -y 3xf64=1,2,10 --standardize --bandwidth 1 --derivative --emit derivative -o da.h5
nwreg -x 3xf64=2,4,6 -y 3xf64=1,2,10 --bandwidth 2 --derivative --emit derivative -o db.h5
tdiff da.h5 db.h5 --rtol 1e-14

# Columns far from 0 are scaled as they would be near it, queries with the same numbers.
awk 'BEGIN { for (i = 0; i < 200; ++i) printf "%.3f,%.10g\n", (i * 37 % 64) / 8, sin(i * 37 % 64 / 9) }' >near.csv
awk -F, '{ printf "%.3f,%s\n", 1e12 + $1, $2 }' near.csv >far.csv
awk 'BEGIN { for (i = 0; i < 9; ++i) printf "%.3f\n", i * 0.875 }' >near-q.csv
awk '{ printf "%.3f\n", 1e12 + $1 }' near-q.csv >far-q.csv
for place in near far; do
  nwreg -x $place.csv:/0 -y $place.csv:/1 -q $place-q.csv --no-header --standardize --bandwidth 0.3 -o $place.h5
done
tdiff near.h5:/y far.h5:/y --rtol 1e-13
