# A word among numbers is named with its file, line and column.
printf 'a,b\n1,2\n3,four\n' >table.csv
trap 'ls -A' EXIT
tconv table.csv -o out.h5
