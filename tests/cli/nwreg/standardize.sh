# Scaled columns: the unit of measurement makes no difference.
awk -F, 'NR == 1 { print; next } { print $1 * 1000 "," $2 "," $3 }' "$EXAMPLES/airquality.csv" >grams.csv
nwreg -x "$EXAMPLES/airquality.csv:/Wind,Temp" -y "$EXAMPLES/airquality.csv:/Ozone" --standardize --bandwidth 0.4 -o a.h5
nwreg -x grams.csv:/Wind,Temp -y grams.csv:/Ozone --standardize --bandwidth 0.4 -o b.h5
tdiff a.h5:/y b.h5:/y --rtol 1e-11
nwreg -x grams.csv:/Wind,Temp -y grams.csv:/Ozone --bandwidth 0.4 -o c.h5
if tdiff a.h5:/y c.h5:/y >/dev/null; then echo "--standardize is ignored"; fi
