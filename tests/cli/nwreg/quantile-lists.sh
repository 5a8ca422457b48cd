# Several quantiles: a column for each, as runs of their own have it, and sorted where they cross.
. "$SUPPORT/try.sh"
cp "$CONFORMANCE/kernel-regression/mcycle.csv" .
fit() { nwreg -x mcycle.csv:/times -y mcycle.csv:/accel "$@"; }
fit --quantile 0.1,0.5,0.9 --bandwidth 3 -q linspace=5,50,10 -o list.h5
for t in 0.1 0.5 0.9; do fit --quantile $t --bandwidth 3 -q linspace=5,50,10 -o "$t.h5"; done
tdiff 'list.h5:/y[:,0:1]' 0.1.h5:/y --ulp 0
tdiff 'list.h5:/y[:,1:2]' 0.5.h5:/y --ulp 0
tdiff 'list.h5:/y[:,2:3]' 0.9.h5:/y --ulp 0
tconv --list list.h5 --select y
fit --quantile 0.25,0.75 --bandwidth cv:1,4,4 -q linspace=5,50,2 -O csv
nwreg -x 'f64=0,1,2,3' -y 4x2xf64=0,4,10,5,2,6,3,7 --quantile 0.4,0.6 --bandwidth 2 --kernel boxcar -q f64=1,2 -O csv

# Lines of two quantiles that cross.
printf 'x,y\n0,0\n0,9\n3,4\n3,5\n' >cross.csv
for t in 0.25 0.75 0.25,0.75; do
  nwreg -x cross.csv:/x -y cross.csv:/y --degree 1 --quantile $t --kernel boxcar --bandwidth 9 -q linspace=-2,6,5 -O csv
done

for t in 0.5,0.1 0.5,0.5 0,0.5 x ''; do try fit --quantile "$t" --bandwidth 3; done
try fit --quantile 0.1,0.9 --bandwidth 3 --loo --plot fan.png
