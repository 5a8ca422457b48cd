# A blank as delimiter is any white space, as for awk; what is advised where tabs and blanks are mixed is that.
exec 2>&1
try() { # TEXT OPTION...
  printf '%s ' -- "$@" && echo
  printf "$1" >t.txt
  shift
  tconv t.txt -O csv "$@" || echo "exit code $?"
}
try '1 2\t3\n4 5\t6\n'
try '1 2\t3\n4 5\t6\n' --delim ' '
try '1.0 2.0\n10.5\t-3.25\n' --delim ' '
try '\t1 \t 2\t\r\n\t\n  3\t4 \n' --delim ' '
try '"a b"\tc d\n1\t"2" 3\n' --delim ' '
try '1\t2\n3 4\n'
try '1\t2\n3 4\n' --delim '\t'
try '1\t2 3\n' --delim '\t'
try 'a\tb\n1\t\n' --delim '\t' --missing nan
try '1 2\t3\n4\t5\n' --delim ' '
echo "-- by name"
printf 'name\tx y\nann\t1 2\n' >names.txt
tconv names.txt:/x -O csv || echo "exit code $?"
tconv names.txt:/x --delim ' ' -O csv
