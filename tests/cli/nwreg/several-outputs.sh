# Several columns of y are the columns one by one.
nwreg -x "$EXAMPLES/airquality.csv:/Wind" -y "$EXAMPLES/airquality.csv:/Temp,Ozone" --bandwidth 2 -o both.h5
nwreg -x "$EXAMPLES/airquality.csv:/Wind" -y "$EXAMPLES/airquality.csv:/Ozone" --bandwidth 2 -o ozone.h5
tdiff 'both.h5:/y[:,1:2]' ozone.h5:/y --rtol 1e-14
