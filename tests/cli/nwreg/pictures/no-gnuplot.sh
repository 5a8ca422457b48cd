# Without gnuplot a picture ends in 69, and the tool works all the same.
mkdir bin
ln -s "$(command -v nwreg)" bin/nwreg
PATH=$PWD/bin
nwreg -x 2xf64=0,1 -y 2xf64=0,1 --bandwidth 1 --plot fit.png -o y.h5 || echo $?
nwreg -x 2xf64=0,1 -y 2xf64=0,1 -q 0.5 --bandwidth 1 -O csv --no-header
