# The parabolic kernel on cars, at five speeds: numbers from outside.
nwreg -x "$TESTDIR/cars.csv:/speed" -y "$TESTDIR/cars.csv:/dist" --kernel parabolic --bandwidth 4 \
  -q linspace=5,25,5 -O csv --precision 10
