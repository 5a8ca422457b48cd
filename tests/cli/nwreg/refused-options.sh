# Options that cannot be followed are mistakes, said with what to give instead.
try() { code=0; nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 -O csv "$@" 2>&1 || code=$?; echo "exit $code"; }
try --loss brier
try --decay 2
try --tol 2
try --bandwidth 1e-310
try --emit bandwidth-curve
try --level 2 --emit band
try --bandwidth CV
try --bandwidth KNN:2
try --bandwidth ''
try --missing nan --method series -y 3=1,nan,4
try --kernel laplace --degree 1 --causal --method series
try --kernel laplace --degree 1 --method tree
try --kernel tricube --method window --emit neff
