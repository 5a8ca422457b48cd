# The parabolic kernel on cars, at five speeds: numbers from outside.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --kernel parabolic --bandwidth 4 \
  -q linspace=5,25,5 -O csv --precision 10
