# Infinite width means a mean at degree 0, a line at degree 1 and a parabola at degree 2, and notes say which.
awk 'BEGIN { print "a,b,line,wave"
  for (i = 0; i < 60; i++) { a = 2 * sin(1.7 * i); b = 3 * cos(2.3 * i + 1)
    e = 0.1 * sin(37 * i * i); print a "," b "," 2 * a "," sin(2 * a) + 3 * b + e } }' >d.csv
for degree in 0 1 2; do
  echo "degree $degree"
  nwreg -x d.csv:/a -y d.csv:/line --degree $degree --bandwidth cv -o line.h5 -f 2>&1 | sed 's/bandwidth [0-9.inf]* chosen.*/bandwidth/'
  nwreg -x d.csv:/a,b -y d.csv:/wave --degree $degree --bandwidth cv -o wave.h5 -f 2>&1 | sed 's/bandwidth [0-9.inf]*,[0-9.inf]* .*/bandwidth/'
done
