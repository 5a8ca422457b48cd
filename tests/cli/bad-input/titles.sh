# Titles and facts in front of a header are refused with the command that removes them, after which the table is read.
. "$SUPPORT/try.sh"
make() { printf '%s\n' "$@" >t.csv; }
both() {
  try tconv t.csv -O csv
  command=$(tconv t.csv -O csv 2>&1 | grep -Eo 'sed [0-9,]*d')
  $command t.csv | tconv -O csv
}
make 'Station report' 'March 2021' x,y 1,2 3,4 && both
make 'Station report' '' x,y 1,2 3,4 && both
make Thermometer Station,Oslo Height,12 '' x,y,z 1,2,3 4,5,6 && both
make 'Station report,,' x,y,z 1,2,3 4,5,6 && both
make 'Report of March' x,y 1,2 3,4 && both
# No titles: rows of other lengths, a column of sentences, a header of which one name is known.
make x 1 2,3 4 5 && try tconv t.csv -O csv
make text 'one' 'two, three' 'four' && try tconv t.csv -O csv
make 'x,,' 1,2,3 4,5,6 && try tconv t.csv -O csv
make 'x,,' a,b,c d,e,f && try tconv t.csv -O csv --quiet
make x y 1 2 && try tconv t.csv -O csv
