# Slopes with their errors and bands, and columns that come round: numbers of NumPy 2.4 and locfit 1.5-9.7 in R 4.2.2.
f=$TESTDIR/slopes-and-periods.h5
while IFS='	' read -r name what dataset options; do
  eval "nwreg -x $f:/$name/x -y $f:/$name/y $options --quiet -o out.h5 -f"
  tconv "out.h5:/$dataset" -O npy -o found.npy -f --quiet
  tdiff found.npy "$f:/$name/$what" --atol 1e-8 --rtol 1e-7 --quiet || echo "$name: $what differs"
done <"$TESTDIR/slopes-and-periods.cases"
wc -l <"$TESTDIR/slopes-and-periods.cases"
