# If the data do not determine how much to smooth, a note says so, and the widest of equally good widths is taken.
choose() { nwreg -x linspace=0,9,10 -o y.h5 -f "$@"; }
for by in cv aicc; do choose -y 10xf64=0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1 --bandwidth $by; done
choose -y 10xf64=0,1,0,1,0,1,0,1,0,1 --bandwidth aicc
choose -y 10xf64=0,1,0,1,0,1,0,1,0,1 --bandwidth aicc --kernel boxcar
choose -y str=a,a,a,a,a,a,a,a,a,a --classify
choose -y linspace=1,10,10 --sample-weights 10xf64=0,0,1,0,0,0,0,0,0,1 || echo $?
nwreg -x 5xf64=1,2,2,2,7 -y 5xf64=1,2,3,4,5 --sample-weights 5xf64=0,1,1,1,0 -o y.h5 -f || echo $?
# The shape of the queries is looked at before.
choose -y linspace=1,10,10 -q 2x2xf64=1,2,3,4 || echo $?
# AICc of three samples is finite nowhere.
for kernel in gaussian tricube boxcar; do
  nwreg -x 3xf64=1,2,4 -y 3xf64=1,2,5 --bandwidth aicc --kernel $kernel -o z.h5 || echo $?
  nwreg -x 3x2xf64=1,2,4,3,5,9 -y 3xf64=1,2,5 --bandwidth aicc --kernel $kernel -o z.h5 || echo $?
done
# A column that tells nothing beside another.
awk 'BEGIN { print "a,b,y"; for (i = 0; i < 40; ++i) print i "," i * 17 % 41 "," sin(i / 4) }' >beside.csv
nwreg -x beside.csv:/a,b -y beside.csv:/y --bandwidth aicc -o y.h5 -f 2>&1 | grep -o 'x, column.*'
