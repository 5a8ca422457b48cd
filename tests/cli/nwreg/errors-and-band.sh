# band = fit -+ z se at the level; neff of a boxcar is the count in its window.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --kernel boxcar --bandwidth 3 -q 15 \
  --emit se,band,neff --level 0.6826894921370859 -O csv | tail -n 1 >row
awk -F, '{ printf "%.6f %.6f %.9g\n", ($1 - $3) / $2, ($4 - $1) / $2, $5 }' row
awk -F, 'NR > 1 && $1 >= 12 && $1 <= 18' "$EXAMPLES/cars.csv" | wc -l | tr -d ' '
# A sample that is alone has no residual.
nwreg -x 3xf64=1,1.1,9 -y 3xf64=1,2,4 --kernel boxcar --bandwidth 1 --emit se -O csv --precision 3 2>&1
