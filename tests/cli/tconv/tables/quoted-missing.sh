# A cell in quotes is text in a column of strings, also one that reads as missing; elsewhere quotes say nothing of it.
read_with() { # HOW LINE...
  how=$1
  shift
  printf '%s\n' "$@" >a.csv
  tconv a.csv --missing "$how" -O csv || echo "exit code $?"
}
read_with omit n,s '1,"NA"' 2,Smith 3,NA ',"x"' '4,""' '5,"."'
echo "-- no words at all"
read_with omit n,s '1,"NA"' '2,"."' 3,NA
echo "-- numbers"
read_with omit a,b '1,"NA"' 2,3 '4,""'
read_with nan a,b '1,"NA"' 2,3 '4,""'
echo "-- everything is quoted"
read_with omit '"a","b"' '"1","NA"' '"2","3"'
echo "-- our own tables of strings"
tconv 3x1xstr=NA,Smith, -o s.csv
tconv s.csv --missing omit -o s.h5
tdiff s.h5 s.csv
echo "-- rows that are left out say nothing of the others"
read_with omit a,b NA,9007199254740993 2,5 NA,words
read_with omit a,b 1,2,3 2,NA
