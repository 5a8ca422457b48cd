# Errors of tables name the cause and a way that works.
exec 2>&1
try() {
  echo "-- $*"
  "$@" -O csv || echo "exit code $?"
}
printf 'speed,dist\n4,2\n4,10\n7,4\n' >cars.csv
try tconv cars.csv:/speed --no-header
try tconv cars.csv:/other --no-header
tconv cars.csv:/speed -O csv | sed 1d
printf 'T[0],T[1]\n4,2\n' >T.csv
try tconv 'T.csv:/T[0]'
try tconv 'T.csv:/T[0][]'
printf 'x\ty\n1.5\t2.0\n2.0\t\n' >t.txt
try tconv t.txt
try tconv t.txt --delim '\t' --missing nan
for number in 1.#INF -1.#IND 1d3 -1.5D+03 1kg; do
  printf 'x\n1\n%s\n' "$number" >one.csv
  try tconv one.csv
done
printf 't,U\ns,V\n1,2\n' >units.csv
try tconv units.csv
sed 2d units.csv | tconv -O csv
printf 'x,y\n"1",2\n"3",4\n' >quoted.csv
try nwreg -x quoted.csv:/x -y quoted.csv:/y
printf 'name\nJos\351\n' >latin.csv
try tconv latin.csv
iconv -f ISO-8859-1 -t UTF-8 latin.csv | tconv -:/name -O csv
printf 'x,y,,\n1,2,,\nNA,4,,\n5,6,,\n' >excel.csv
try tconv excel.csv:/x,y --missing omit
try tconv excel.csv --missing omit
printf 'the 1 2\n" 3 4\n' >glove.txt
try tconv glove.txt:/1,2 --no-header --delim ' '
sed 's/^" /"""" /' glove.txt | tconv -:/1,2 --no-header --delim ' ' -O csv
printf '%% x,y of a run\n%% at noon\n1,2,3\n' >octave.csv
try tconv octave.csv --no-header
try tconv octave.csv --comment % --no-header
