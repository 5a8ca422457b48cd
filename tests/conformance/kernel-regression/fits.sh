# Fits and R^2 (squared correlation of y and fit) at the bandwidths that np chose.
t=$TESTDIR
nwreg -x "$t/two-variables.csv:/c1,c2" -y "$t/two-variables.csv:/y" --bandwidth .616383,.1649656 -O csv | tail -n +2 >fit
head -n 5 fit | awk '{ printf "%.4f\n", $1 }'
r2() { awk -F, '{ n++; a += $1; b += $2; aa += $1 * $1; bb += $2 * $2; ab += $1 * $2 } END { printf "%.6f\n", (n * ab - a * b) ^ 2 / (n * aa - a * a) / (n * bb - b * b) }'; }
fit_beside() {
  nwreg -x "$t/$1.csv:/$2" -y "$t/$1.csv:/$3" --bandwidth "$4" -o y.h5 -f
  tconv y.h5:/y -O csv --no-header >fit
  tconv "$t/$1.csv:/$3" -O csv | tail -n +2 | paste -d, - fit | r2
}
fit_beside two-variables c1,c2 y .616383,.1649656
fit_beside cps71 age logwage 1.892157631
fit_beside airquality Wind,Temp Ozone 1.330246896,1.813806507
