# Leave-one-out and AICc of the parabolic kernel on cars at h = 4, from their definitions.
nwreg -x "$TESTDIR/cars.csv:/speed" -y "$TESTDIR/cars.csv:/dist" --kernel parabolic --bandwidth 4 --loo -O csv | tail -n +2 >loo
tail -n +2 "$TESTDIR/cars.csv" | paste -d, loo - | awk -F, '{ s += ($3 - $1) ^ 2 } END { printf "%.7f\n", s / NR }'
nwreg -x "$TESTDIR/cars.csv:/speed" -y "$TESTDIR/cars.csv:/dist" --kernel parabolic --bandwidth 4 --emit weights -o y.h5
tconv y.h5:/y -O csv --no-header >fit
tconv y.h5:/weights -O csv --no-header | awk -F, '{ print $NR }' >self
tail -n +2 "$TESTDIR/cars.csv" | paste -d, fit self - | awk -F, '
  { n++; s += ($4 - $1) ^ 2; t += $2 } END { printf "%.8f\n", log(s / n) + (1 + t / n) / (1 - (t + 2) / n) }'
