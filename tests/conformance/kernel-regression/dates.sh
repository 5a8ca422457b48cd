# Fits over columns of dates, beside those over NumPy's days since 1970.
t=$TESTDIR/dates
fit() {
  name=$1 columns=$2
  shift 2
  echo "$name"
  nwreg -x "$t/$name.csv:/$columns" -y "$t/$name.csv:/t" -q "$t/$name-queries.csv" --kernel gaussian \
    --scale-convention halfwidth "$@" -o fit.h5 -f --quiet
  tdiff fit.h5:/y "$t/$name-fit.csv" --rtol 1e-9 --atol 1e-9
}
fit days-and-minutes-mixed date --bandwidth 0.3
fit date-and-number date,temp --bandwidth 15,8 --degree 1
fit fractions-of-seconds date --bandwidth 4.6296296296296294e-05
fit leap-years-and-centuries date --bandwidth 30000 --degree 1
fit missing-omitted date --bandwidth 7 --missing omit
fit zones date --bandwidth 0.1
fit zones-after-a-blank date --bandwidth 0.1
