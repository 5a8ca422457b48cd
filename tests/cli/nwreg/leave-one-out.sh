# --loo leaves each sample out of its own prediction: the diagonal of the weights is empty, and so is the score cv's.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --kernel parabolic --bandwidth 4 --loo \
  --emit weights -o y.h5
tconv y.h5:/weights -O csv --no-header | awk -F, '{ if ($NR != 0) exit 1 }'
tconv y.h5:/y -O csv --no-header >loo
tail -n +2 "$EXAMPLES/cars.csv" | paste -d, loo - | awk -F, '{ s += ($3 - $1) ^ 2 } END { printf "%.6f\n", s / NR }'
