# Names in a comment, as numpy.savetxt(header=...) writes them; a comment that does not name each column is prose.
exec 2>&1
try() { # TEXT OPTION...
  printf '%s ' -- "$@" && echo
  printf "$1" >t.csv
  shift
  tconv "$@" -O csv || echo "exit code $?"
}
try '# x,y\n1.0,2.0\n' t.csv
try '# x,y\n1.0,2.0\n' t.csv:/y
try '# x y\n1.0 2.0\n' t.csv --delim ' '
try '# x,y\n1.0 2.0\n' t.csv --delim ' '
try '%% "time [s]";"v, m"\n1;2\n' t.csv --delim ';' --comment %
try '# made by hand\n# x , y\r\n1,2\r\n# the end\n' t.csv
try '# v\n1\n2\n' t.csv
try '# two words\n1\n' t.csv
try '# name,n\nann,1\n' t.csv:/n
try '# x,y\nNA,NA\n1,2\n' t.csv --missing nan
try '# x,y\na,b\n1,2\n' t.csv
try '# x,y\n1,2\n' t.csv --no-header
for comment in x,x x,1 x, a=1,b=2 'by: me,you:' x,y,z; do try "# $comment\n1,2\n" t.csv; done
try '# x y\n1,2\n' t.csv:/x
echo "-- nwreg"
printf '# x,y\n1,2\n2,3.5\n3,5.5\n' >sv.csv
nwreg -x sv.csv:/x -y sv.csv:/y --bandwidth 1 -o named.h5
nwreg -x sv.csv:/0 -y sv.csv:/1 --bandwidth 1 | tdiff - named.h5
