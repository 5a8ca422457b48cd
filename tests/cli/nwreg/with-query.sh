# The queries beside the result, in their order and under their names.
printf 'speed\n20\n5\n' >q.csv
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" -q q.csv:/speed --kernel parabolic --bandwidth 4 \
  --with-query -O csv --precision 6
# Of a part of a table too.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" -q 'q.csv[1:]' --bandwidth 4 --with-query -O csv \
  --precision 6
