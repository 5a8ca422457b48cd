# A picture on the terminal takes the place of the result; who asks for both there is told.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 --bandwidth 1 --plot - -o - || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 --bandwidth 1 --plot-weights - -O csv || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 --bandwidth 1 --plot-kernel - --emit se || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 --bandwidth 1 --plot - -o y.h5 | grep -c fit
tconv y.h5:/y -O csv --no-header | grep -c .
# Kernels without samples: one, or all; nothing else has a say.
nwreg --plot-kernel one.svg --kernel biweight
grep -c 'biweight' one.svg
grep -c 'gaussian' one.svg || true
nwreg --plot-kernel all.svg
grep -o 'biweight\|gaussian\|(epanechnikov)' all.svg
nwreg --plot-kernel none.svg -o y.h5 || echo $?
nwreg --plot-kernel none.svg --plot fit.svg || echo $?
# What the picture cannot show is said before a bandwidth is searched.
nwreg -x 3x3xf64=1,2,3,4,5,7,8,9,9 -y 3xf64=1,2,4 --plot fit.png -o z.h5 || echo $?
