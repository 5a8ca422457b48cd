# cv over a grid of widths that is given: the curve has these widths alone, and the best of them is taken.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --bandwidth cv:0.5,8,5 \
  --emit bandwidth-curve -o y.h5
tconv y.h5:/bandwidth-curve -O csv --precision 8
