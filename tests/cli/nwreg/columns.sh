# Columns of y are fitted one by one, and a sample that counts twice is a sample that is there twice.
cp "$EXAMPLES/airquality.csv" .
nwreg -x airquality.csv:/Wind -y airquality.csv:/Temp,Ozone --bandwidth 2 -o both.h5
nwreg -x airquality.csv:/Wind -y airquality.csv:/Ozone --bandwidth 2 -o ozone.h5
tdiff 'both.h5:/y[:,1:2]' ozone.h5:/y --rtol 1e-14
nwreg -x 3xf64=0,1,2 -y 3xf64=1,5,2 --sample-weights 3xf64=1,2,1 --bandwidth 0.7 -q linspace=0,2,9 -o a.h5
nwreg -x 4xf64=0,1,1,2 -y 4xf64=1,5,5,2 --bandwidth 0.7 -q linspace=0,2,9 -o b.h5
tdiff a.h5:/y b.h5:/y --rtol 1e-14
