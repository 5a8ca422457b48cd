# A row with a missing value is refused by name, left out of every column, or felt where it has weight.
printf 'x,y\n0,1\n1,NA\n2,5\n10,7\n' >d.csv
nwreg -x d.csv:/x -y d.csv:/y --kernel boxcar --bandwidth 1 -O csv || echo $?
nwreg -x d.csv:/x -y d.csv:/y --kernel boxcar --bandwidth 1 --missing omit -O csv
nwreg -x d.csv:/x -y d.csv:/y --kernel boxcar --bandwidth 1 --missing nan -O csv
printf 'x,y\n0,NA\nNA,1\n' >none.csv
nwreg -x none.csv:/x -y none.csv:/y --kernel boxcar --bandwidth 1 --missing omit -O csv || echo $?
nwreg -x d.csv:/y -y d.csv:/x --kernel boxcar --bandwidth 1 --missing nan -O csv || echo $?

# Where y is missing it has no say in the bandwidth, and is in no result that it has no weight in.
awk -F, 'NR % 10 == 5 { print $1 ",NA"; next } { print }' "$EXAMPLES/cars.csv" >gaps.csv
for missing in nan omit; do
  nwreg -x gaps.csv:/speed -y gaps.csv:/dist --missing $missing --kernel parabolic --bandwidth cv -q 2=2.5,11 -O csv --precision 6 2>&1 |
    sed 's/\(bandwidth [0-9.]\{8\}\)[0-9]*/\1/'  # the digits that every machine finds
done
