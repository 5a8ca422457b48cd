# The gradients that nwreg writes, which agree with differences; fits of another degree or without a bandwidth have none.
x=$EXAMPLES/cars.csv:/speed y=$EXAMPLES/cars.csv:/dist
nwreg -x "$x" -y "$y" --loo --vjp "$y" --bandwidth 2 | tconv --list | cut -d ' ' -f 1
nwreg -x "$x" -y "$y" --vjp "$y" --bandwidth cv 2>&1 || echo $?
nwreg -x "$x" -y "$y" --vjp "$y" --bandwidth 2 --degree 1 2>&1 || echo $?
for options in '-q 3xf64=1.5,3,5 --bandwidth 1.5' '--loo --kernel tricube --bandwidth 4'; do
  # shellcheck disable=SC2086
  nwreg -x 5xf64=1,2,3.5,4,6 -y 5xf64=1,3,2,5,4 $options --check-grad 2 --threads 1 | cut -d ' ' -f 1 | paste -sd ' '
done
# Inputs in f16 have gradients in f32.
for dtype in f16 f64; do
  nwreg -x 5x$dtype=1,2,3.5,4,6 -y 5x$dtype=1,3,2,5,4 -q 3x$dtype=1.5,3,5 --bandwidth 1.5 --vjp 3x$dtype=1,-2,0.5 -o $dtype.h5
done
tdiff f16.h5 f64.h5 --atol 1e-7 --quiet
