# Compressed rows hold what is not 0 in the dense ones; rows add up to 1, and times y they are the fit.
cars="-x $EXAMPLES/cars.csv:/speed -y $EXAMPLES/cars.csv:/dist --kernel biweight --bandwidth 4 --degree 1 -q linspace=4,25,8"
nwreg $cars --emit weights -o dense.h5
nwreg $cars --emit weights --sparse -o sparse.h5
tconv dense.h5:/weights -O csv --no-header >dense
awk -F, '{ for (i = 1; i <= NF; ++i) if ($i != 0) print $i }' dense >nonzero
tconv sparse.h5:/weights/data -O csv --no-header | grep -v '#' | cmp - nonzero
tconv sparse.h5:/weights/shape -O csv --no-header | grep -v '#' | paste -s -d, -
tconv sparse.h5:/weights/indptr -O csv --no-header | tail -n 1 | grep -qx "$(wc -l <nonzero)"
awk -F, '{ s = 0; for (i = 1; i <= NF; ++i) s += $i; if (s < 0.999999999999 || s > 1.000000000001) exit 1 }' dense
tail -n +2 "$EXAMPLES/cars.csv" | cut -d, -f2 | paste -s -d, - >y
tconv dense.h5:/y -O csv --no-header | grep -v '#' >fit
cat y dense | awk -F, 'NR == 1 { n = split($0, y); next } { s = 0; for (i = 1; i <= n; ++i) s += $i * y[i]; printf "%.9g\n", s }' >product
awk '{ printf "%.9g\n", $1 }' fit | cmp - product
