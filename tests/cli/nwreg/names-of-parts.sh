# Parts of several outputs are named after them: labels that are text or numbers, columns of y. Bands of probabilities end
# at 0 and 1.
iris=$EXAMPLES/iris.csv
nwreg -x "$iris:/2" -y "$iris:/4" --classify --bandwidth 0.3 -q 2xf64=2.5,5 --emit probabilities,se,band -O csv --precision 3
nwreg -x 4xf64=0,1,2,3 -y 4xf64=7,7,9,9 --classify --bandwidth 1 -q 1 --emit probabilities,se,band -O csv --precision 3
air=$EXAMPLES/airquality.csv
nwreg -x "$air:/Wind" -y "$air:/Temp,Ozone" --bandwidth 1 -q 9 --emit se,band -O csv --precision 4
# With a polynomial too, around the probabilities that are written.
nwreg -x "$iris:/2" -y "$iris:/4" --classify --bandwidth 0.9 --degree 2 -q linspace=1,7,50 --emit probabilities,band -o y.h5
nwreg -x "$iris:/2" -y "$iris:/4" --classify --bandwidth 0.9 --degree 2 -q linspace=1,7,50 --emit probabilities,band -O csv |
  awk -F, 'NR > 1 { for (c = 0; c < 3; ++c) { p = $(2 + c); low = $(5 + 2 * c); high = $(6 + 2 * c)
                      if (low < 0 || high > 1 || p < low || p > high) ++outside } } END { print outside + 0 }'
