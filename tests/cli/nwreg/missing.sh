# A row with a missing value is refused by name, left out of every column, or felt where it has weight.
printf 'x,y\n0,1\n1,NA\n2,5\n10,7\n' >d.csv
nwreg -x d.csv:/x -y d.csv:/y --kernel boxcar --bandwidth 1 -O csv || echo $?
nwreg -x d.csv:/x -y d.csv:/y --kernel boxcar --bandwidth 1 --missing omit -O csv
nwreg -x d.csv:/x -y d.csv:/y --kernel boxcar --bandwidth 1 --missing nan -O csv
printf 'x,y\n0,NA\nNA,1\n' >none.csv
nwreg -x none.csv:/x -y none.csv:/y --kernel boxcar --bandwidth 1 --missing omit -O csv || echo $?
nwreg -x d.csv:/y -y d.csv:/x --kernel boxcar --bandwidth 1 --missing nan -O csv || echo $?
