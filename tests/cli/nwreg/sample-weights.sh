# A sample that counts twice is a sample that is there twice.
nwreg -x 3xf64=0,1,2 -y 3xf64=1,5,2 --sample-weights 3xf64=1,2,1 --bandwidth 0.7 -q linspace=0,2,9 -o a.h5
nwreg -x 4xf64=0,1,1,2 -y 4xf64=1,5,5,2 --bandwidth 0.7 -q linspace=0,2,9 -o b.h5
tdiff a.h5:/y b.h5:/y --rtol 1e-14
