# Each error has one line that says what to give instead, and leaves no output.
. "$SUPPORT/try.sh"
fit() { nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 -O csv "$@"; }

# Options that need others, and values that they do not take.
try fit --loss brier
try fit --decay 2
try fit --tol 2
try fit --level 2 --emit band
try fit --emit bandwidth-curve
try fit --emit probabilities
try fit --loo -q 5
try fit --kernel gauss
try fit --missing nan --method series -y 3=1,nan,4
try fit --kernel laplace --degree 1 --causal --method series
try fit --kernel laplace --degree 1 --method tree
try fit --kernel tricube --method window --emit neff

# Shapes that do not go together.
try nwreg -y 3xf64=1,2,3 --bandwidth 1 -o y.h5
try nwreg -x 3xf64=1,2,3 -y 2xf64=1,2 --bandwidth 1 -o y.h5
try nwreg -x 2x2xf64=1,2,3,4 -y 2xf64=1,2 -q 3xf64=1,2,3 --bandwidth 1 -o y.h5
try nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,3 --sample-weights 2xf64=1,2 --bandwidth 1 -o y.h5

# Numbers that are infinite, missing or negative, and labels where numbers are expected.
try nwreg -x 3xf64=0,inf,2 -y 3xf64=1,2,3 --bandwidth 1 -o y.h5
try nwreg -x 3xf64=0,nan,2 -y 3xf64=1,2,3 --bandwidth 1 -o y.h5
try nwreg -x 3xf64=0,1,2 -y 3xf64=1,inf,3 --bandwidth 1 -o y.h5
try nwreg -x 3xf64=0,1,2 -y 3xf64=1,2,3 --sample-weights 3xf64=1,-1,1 --bandwidth 1 -o y.h5
try nwreg -x 2xf64=0,1 -y str=b,a --bandwidth 1 -o y.h5
