# A picture and the result, or two pictures, under one name: one would be lost.
data="-x 5xf64=1,2,3,4,5 -y 5xf64=1,2,3,4,5 --bandwidth 1"
nwreg $data --plot a.png -O h5 -o a.png -f 2>&1 || echo "$?"
nwreg $data --plot a.png --plot-weights a.png -o y.h5 2>&1 || echo "$?"
ls
