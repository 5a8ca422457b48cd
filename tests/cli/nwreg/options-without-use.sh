# Options that would change nothing are mistakes, said with the option that gives them a use.
try() { code=0; nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 -O csv "$@" 2>&1 || code=$?; echo "exit $code"; }
try --level 0.5
try --plot-size 80x20
try --sparse
try --loss brier
try --isotropic
try --decay 2
try --tol 2
try --bandwidth 1e-310
try --tol 1e-3 --kernel boxcar
try --tol 1e-3 --method direct
try --emit bandwidth-curve
try --level 2 --emit band
try --bandwidth CV
try --bandwidth KNN:2
try --bandwidth ''
try --missing nan --method series -y 3=1,nan,4
try --kernel laplace --degree 1 --method series
try --kernel laplace --degree 1 --method tree
try --kernel tricube --method window --emit neff
try --method tree --engine reference
try --tol 1e-3 --engine reference
