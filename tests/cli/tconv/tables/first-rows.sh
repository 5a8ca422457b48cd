# No row becomes a header, and no header a row, without a word: what the first row does not tell is said or asked for.
exec 2>&1
try() {
  echo "-- $*"
  tconv "$@" -O csv || echo "exit code $?"
}
printf 'NA\n0.5\n0.7\n' >lag.csv
try lag.csv --missing nan
try lag.csv --header
try lag.csv
printf ',\n1,2\n' >empty.csv
try empty.csv --missing nan
printf 'nan,nan\n1,2\n' >nan.csv
try nan.csv
printf '"2019","2020"\n1,2\n3,4\n' >years.csv
try years.csv
try years.csv --no-header
printf '"g","2020"\na,2\n' >words.csv
try words.csv
printf '"2019","2020"\n"1","2"\n' >quotes.csv
try quotes.csv
try quotes.csv --header
try quotes.csv --no-header
printf '"1",4,2\n"2",4,10\n' >nameless.csv
try nameless.csv
printf ',x,y\n0,1,2\n1,3,4\n' >index.csv
try index.csv
try index.csv:/x,y
printf ',0,1\n0,0.5,2\n' >numbered.csv
try numbered.csv
try numbered.csv:/0,1 --header
printf 'N/A\n0.5\n' >other.csv
try other.csv
printf 'apple,45%%\npear,30%%\n' >percent.csv
try percent.csv
printf 'id,2021-03-01\na,5\n' >dates.csv
try dates.csv:/2021-03-01
printf 'cat\ndog\n' >words.txt
try words.txt
try words.txt:/cat
try words.txt --no-header
printf 'x\n1\nx\n2\n' >twice.csv
try twice.csv
echo "-- t, T and F are names, unless their column has truth values alone"
for text in 't,v\n12:30,1\n12:45,2' 'T,v\n2024-01-01,1' 'F,v\n45%%,1' 'T,v\nT,1\nG,2' 'T,NA\nF,1\nNA,2' 'T\nF' 'T,v\nTRUE,1\nFALSE,2'; do
  printf "$text\n" >truth.csv
  try truth.csv
done
printf 'sex,y\nF,1\nM,2\n' >sex.csv
softmax sex.csv:/sex || echo "exit code $?"
echo "-- empty names come back"
printf '"",""\n1,2\n' >no-names.csv
tconv no-names.csv -o no-names.h5 --quiet
tconv no-names.h5 -O csv
