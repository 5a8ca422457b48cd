# What stands beside a result is of what is written: weights of the fit beside slopes, or its summary beside predictions of
# samples from the others, would be of something else.
. "$SUPPORT/try.sh"
fit() { nwreg -x 5xf64=1,2,3,4,6 -y 5xf64=1,2,4,3,5 --quiet -o y.h5 -f "$@"; }
for what in '--emit neff' '--emit weights' --summary '--plot-weights w.svg'; do
  # shellcheck disable=SC2086
  try fit --bandwidth 2 --degree 1 --derivative $what
done
for what in --summary '--plot-weights w.svg'; do
  # shellcheck disable=SC2086
  try fit --bandwidth 2 --loo $what
done
# Degrees and queries are of all of them. Of samples predicted from the others, neff and weights are without the sample.
try fit --bandwidth 2 --degree 1 --derivative --loo --emit degree,derivative --with-query
tconv --list y.h5 | grep -o '^[a-z][a-z]*'
try fit --bandwidth 2 --degree 1 --loo --emit neff,weights
tconv 'y.h5:/weights' -O csv --no-header | awk -F, '{ squares = 0; for (i = 1; i <= NF; i++) squares += $i ^ 2
  if ($NR != 0) print "the diagonal is " $NR; printf "%.9g\n", 1 / squares }' >want
tconv 'y.h5:/neff' -O csv --no-header --precision 9 | diff want -
# Gradients, sums and parts have no companions.
for what in --summary --with-query '--plot p.svg' '--plot-weights w.svg' '--plot-kernel k.svg'; do
  # shellcheck disable=SC2086
  try fit --bandwidth 2 --degree 0 --vjp 5=1,1,1,1,1 $what
done
for what in --summary --with-query; do
  try fit --bandwidth 2 -q 1 --emit state $what
  try fit --bandwidth cv:1,4,3 --shard 1/2 --emit bandwidth-curve $what
done
try fit --bandwidth cv:1,4,3 --shard 1/2 --emit bandwidth-curve --derivative
try fit --bandwidth 2 --shard 1/2 -q 1 --plot-kernel k.svg
# So it is in every tool with --vjp.
for tool in 'attend -q 2x1=1,2 -k 2x1=1,2 -v 2x1=1,2 --emit weights' 'addnorm --no-residual 2x1=1,2 --emit mean'; do
  $tool --vjp 2x1=1,1 -o y.h5 -f 2>&1 || echo "exit $?"
done
