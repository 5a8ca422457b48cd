# Shapes that do not go together, by name.
nwreg -x 3xf64=1,2,3 -y 2xf64=1,2 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 2x2xf64=1,2,3,4 -y 2xf64=1,2 -q 3xf64=1,2,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,3 --sample-weights 2xf64=1,2 --bandwidth 1 -o y.h5 || echo $?
nwreg -y 3xf64=1,2,3 --bandwidth 1 -o y.h5 || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,3 --bandwidth 1 --kernel gauss -o y.h5 || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,3 --bandwidth missing.csv -o y.h5 || echo $?
