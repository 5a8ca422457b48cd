# Generalised cross-validation, by a search and of a grid, as locfit 1.5-9.7 has it, and with the boxcar's steps.
. "$SUPPORT/try.sh"
c=$CONFORMANCE/kernel-regression
for degree in 0 1; do
  nwreg -x "$c/mcycle.csv:/times" -y "$c/mcycle.csv:/accel" --degree $degree --bandwidth gcv -o a.h5 -f
  nwreg -x "$c/mcycle.csv:/times" -y "$c/mcycle.csv:/accel" --degree $degree --bandwidth gcv:1,4,3 --emit bandwidth-curve -o b.h5 -f
  tconv b.h5:/bandwidth-curve -O csv --precision 8
done
nwreg -x "$c/cars.csv:/speed" -y "$c/cars.csv:/dist" --kernel boxcar --bandwidth gcv -o c.h5
try nwreg -x "4=1,2,3,4" -y 4=1,2,1,3 --bandwidth gcv:1,2,2 --shard 1/2 --emit bandwidth-curve -o s.h5
try nwreg -x "4=1,2,3,4" -y 4=1,2,1,3 --bandwidth gcv:2,1,2
