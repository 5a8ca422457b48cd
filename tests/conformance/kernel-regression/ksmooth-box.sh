# R's ksmooth with its own meaning of a bandwidth; an empty window is NaN and counted in one note.
nwreg -x "$TESTDIR/cars.csv:/speed" -y "$TESTDIR/cars.csv:/dist" --kernel boxcar --bandwidth 2 \
  --scale-convention ksmooth -q 8xf64=4,5.5,7,10,15,20,22.5,25 -O csv --precision 12
