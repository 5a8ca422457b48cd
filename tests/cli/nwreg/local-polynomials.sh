# Degree 1 reproduces a line and degree 2 a parabola, with their derivatives.
nwreg -x linspace=0,10,21 -y 21xf64=$(awk 'BEGIN { for (i = 0; i < 21; ++i) printf "%s%g", i ? "," : "", 3 - i }') \
  --degree 1 --kernel biweight --bandwidth 2 -q 3xf64=1,2.25,9 --emit derivative -O csv --precision 9
nwreg -x linspace=0,10,21 -y 21xf64=$(awk 'BEGIN { for (i = 0; i < 21; ++i) printf "%s%g", i ? "," : "", i * i }') \
  --degree 2 --kernel biweight --bandwidth 2 -q 3xf64=1,2.25,9 --derivative -O csv --precision 9
# Two samples in a window carry a line at most, and that is said.
nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 0.25 --degree 2 --bandwidth 1 --emit degree -O csv --precision 9
