# Columns far from 0 are scaled as they would be near it, queries with the same numbers.
awk 'BEGIN { for (i = 0; i < 200; ++i) printf "%.3f,%.10g\n", (i * 37 % 64) / 8, sin(i * 37 % 64 / 9) }' >near.csv
awk -F, '{ printf "%.3f,%s\n", 1e12 + $1, $2 }' near.csv >far.csv
awk 'BEGIN { for (i = 0; i < 9; ++i) printf "%.3f\n", i * 0.875 }' >near-q.csv
awk '{ printf "%.3f\n", 1e12 + $1 }' near-q.csv >far-q.csv
for place in near far; do
  nwreg -x $place.csv:/0 -y $place.csv:/1 -q $place-q.csv --no-header --standardize --bandwidth 0.3 -o $place.h5
done
tdiff near.h5:/y far.h5:/y --rtol 1e-13
