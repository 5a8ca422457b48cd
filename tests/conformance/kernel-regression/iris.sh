# The Brier score of leave-one-out classification of iris with one Gaussian width, and the width that makes it least.
nwreg -x "$TESTDIR/iris.csv:/0,1,2,3" -y "$TESTDIR/iris.csv:/4" --classify --loo --bandwidth 0.2663 --emit probabilities \
  -O csv | tail -n +2 | awk -F, '
  { truth = NR <= 50 ? 2 : NR <= 100 ? 3 : 4; for (c = 2; c <= 4; ++c) s += ($c - (c == truth)) ^ 2 } END { printf "%.7f\n", s / NR }'
nwreg -x "$TESTDIR/iris.csv:/0,1,2,3" -y "$TESTDIR/iris.csv:/4" --classify --isotropic --bandwidth cv --loss brier -o y.h5
