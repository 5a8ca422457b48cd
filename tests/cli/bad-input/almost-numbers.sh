# A cell that nearly is a number is shown with the way to make one of it.
. "$SUPPORT/try.sh"
number=0
for cell in 45% '"1,234"' '$5' 0x1F TRUE 2021-03-01 1/3/21 12:30 '5 kg' 1D3 b; do
  printf 'x,y\n%s,1\n%s,2\n' "$cell" "$cell" >all.csv
  try nwreg -x all.csv:/x -y all.csv:/y --bandwidth 1 -O csv
  printf 'x,y\n7,1\n%s,2\n' "$cell" >one.csv
  try softmax one.csv:/x -O csv
done
echo "-- beside numbers"
printf 'g,x,y\na,1,2\nb,2,3\n' >groups.csv
try nwreg -x groups.csv:/g,x -y groups.csv:/y --bandwidth 1 -O csv
try nwreg -x groups.csv:/x -y groups.csv:/g --bandwidth 1 -O csv
try attend -q groups.csv:/x -k groups.csv:/x -v groups.csv:/g -O csv
try linear -w 1x1=2 groups.csv:/g -O csv
echo "-- Fortran"
printf 'x\n1.0D+03\n3.5d-01\n-2.D0\n' >fortran.csv
try tconv fortran.csv -O csv
