# The unit of x makes no difference, though squares of distances are beyond all numbers: in units of a power of two all
# bits are the same but for the rounding of a logarithm.
seq 1 60 | awk '{ s = (s * 16807 + $1) % 2147483647; printf "%.17g%s", s / 2147483647, NR % 3 ? "," : "\n" }' >one.csv
for power in -600 600; do
  awk -F, -v p=$power '{ printf "%.17g,%.17g,%s\n", $1 * 2 ^ p, $2 * 2 ^ p, $3 }' one.csv >other.csv
  for columns in 0 0,1; do
    for how in '--bandwidth knn:3' '--bandwidth knn:3 --kernel laplace --engine reference' '--bandwidth rot' '--bandwidth cv' \
      '--bandwidth cv --kernel boxcar --isotropic' '--bandwidth cv --kernel parabolic --isotropic' '--bandwidth aicc --degree 1'; do
      for x in one other; do
        # shellcheck disable=SC2086
        nwreg -x $x.csv:/$columns -y $x.csv:/2 $how --quiet -o $x.h5 -f
      done
      tdiff one.h5:/y other.h5:/y --rtol 1e-7
    done
  done
done
