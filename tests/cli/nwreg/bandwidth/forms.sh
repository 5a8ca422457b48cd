# One width for each column is a diagonal matrix of squares; a number, a literal and a file mean the same.
data="-x $EXAMPLES/airquality.csv:/Wind,Temp -y $EXAMPLES/airquality.csv:/Ozone"
nwreg $data --bandwidth 2,5 -o list.h5
nwreg $data --bandwidth 2x2xf64=4,0,0,25 -o matrix.h5
printf '2,5\n' >h.csv
nwreg $data --bandwidth h.csv -o file.h5
nwreg $data --bandwidth 3 -o number.h5
nwreg $data --bandwidth 3,3 -o both.h5
tdiff list.h5:/y matrix.h5:/y --rtol 1e-12
tdiff list.h5:/y file.h5:/y
tdiff number.h5:/y both.h5:/y
