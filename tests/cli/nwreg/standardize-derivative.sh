# Derivatives beside --standardize are by the columns as they were given: the same as with widths in their units.
nwreg -x 3xf64=2,4,6 -y 3xf64=1,2,10 --standardize --bandwidth 1 --derivative --emit derivative -o a.h5
nwreg -x 3xf64=2,4,6 -y 3xf64=1,2,10 --bandwidth 2 --derivative --emit derivative -o b.h5
tdiff a.h5 b.h5 --rtol 1e-14 && echo equal
