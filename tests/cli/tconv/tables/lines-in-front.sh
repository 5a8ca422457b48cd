# Lines in front of a table that are no rows of it, names that are one short, and what stands at the end of lines.
exec 2>&1
try() {
  echo "-- $*"
  tconv "$@" -O csv || echo "exit code $?"
}
printf 'sep=;\na;b\n1;2\n' >excel.csv
try excel.csv
try excel.csv --delim ';'
printf '\357\273\277"sep=\t"\r\na\tb\r\n1\t2\r\n' >tabs.csv
try tabs.csv
printf '"x" "y"\n"1" 4 2\n"2" 4 10\n' >row-names.txt
try row-names.txt:/x,y --delim ' '
printf 'x y\nann 4 2\n' >words.txt
try words.txt:/y --delim ' '
printf 'x,y\n1,4,2\n2,4,10\n' >short.csv
try short.csv
printf 'Report of May\nx,y\n1,2\n3,4\n' >title.csv
try title.csv
printf '2 3\nthe 0.1 0.2 0.3\ncat 1 2 3\n' >vectors.txt
try vectors.txt:/1,2,3 --delim ' ' --no-header
printf 'x,y\n1,2,\n3,4,\n' >rows-end.csv
try rows-end.csv
printf 'x,y,\n1,2,\n3,4,\n' >all-end.csv
try all-end.csv
try all-end.csv:/x,y
printf 'a b  \n1  2 \n3 4\n' >blanks.txt
try blanks.txt --delim ' '
printf 'a b\n1  2 \n3 \n' >short-row.txt
try short-row.txt --delim ' ' --missing nan
printf 'w\ra\rb\n' >mac.csv
try mac.csv
printf '"w"\r"a"\r' >quoted-mac.csv
try quoted-mac.csv
echo "-- without rows"
printf 'x,y\n' >header.csv
try header.csv
printf '404: Not Found\n' >page.csv
try page.csv
try page.csv --header
printf 'x,y\n1,NA\nNA,2\n' >missing.csv
try missing.csv --missing omit
