# cv over a grid of widths that is given: the curve has these widths alone, and the best of them is taken.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --bandwidth cv:0.5,8,5 \
  --emit bandwidth-curve -o y.h5
tconv y.h5:/bandwidth-curve -O csv --precision 8
for grid in cv: cv:1,2 cv:2,1,5 cv:0,1,5 cv:1,2,1 cv:1,2,2.5 cv:a,b,c; do
  nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,3 --bandwidth "$grid" || echo $?
done
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,3 --bandwidth cv:1,2,3 --vjp 1 || echo $?
