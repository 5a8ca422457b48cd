# The weights under a bandwidth matrix add up to 1 and give the fit; those of h^2 I are those of h; sparse ones too.
air="-x $EXAMPLES/airquality.csv:/Wind,Temp -y $EXAMPLES/airquality.csv:/Ozone --kernel biweight"
nwreg $air --bandwidth 2x2xf64=25,0,0,25 --emit weights -o matrix.h5
nwreg $air --bandwidth 5 --emit weights -o number.h5
tdiff matrix.h5:/weights number.h5:/weights --atol 1e-14
nwreg $air --bandwidth 2x2xf64=9,-8,-8,25 --emit weights -o full.h5
tail -n +2 "$EXAMPLES/airquality.csv" | cut -d, -f3 >y
tconv full.h5:/weights -O csv --no-header | grep -v '#' >weights
tconv full.h5:/y -O csv --no-header | grep -v '#' | awk '{ printf "%.9g\n", $1 }' >fit
awk -F, 'NR == FNR { y[NR] = $1; next } { s = 0; for (i = 1; i <= NF; ++i) s += $i * y[i]; printf "%.9g\n", s }' y weights | cmp - fit
nwreg $air --bandwidth 2x2xf64=9,-8,-8,25 --emit weights --sparse -q 2x2xf64=8,80,10,70 -o sparse.h5
tconv sparse.h5:/weights/shape -O csv --no-header | grep -v '#' | paste -s -d, -
