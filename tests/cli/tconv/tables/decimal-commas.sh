# With semicolons between cells, a comma is a decimal sign, as Excel writes it where that is so.
exec 2>&1
try() { # TEXT OPTION...
  printf '%s ' -- "$@" && echo
  printf "$1" >t.csv
  shift
  tconv t.csv -O csv --delim ';' "$@" || echo "exit code $?"
}
try 'a;b\n1,5;-2,5e3\n+0,25;3\n'
try '1,5;2\n3;4\n'
try 'a;b\n1.234,5;x\n1.000.000,25;y\n'
try '"a";"b"\n"1,5";"2,5"\n'
try 'Wert\n1,5\n2\n'
try 'a;b\n1,5;NA\n;2,5\n' --missing nan
try 'a;b\n1,234;5\n'
try 'a;b\n1,234;2,5\n'
printf 'sep=;\na;b\n1,5;2\n' | tconv -O csv
printf 'a;b\n3,0;2\n' | tconv -:/a --delim ';' --dtype i64 -O csv
{ echo 'a;b' && yes '1;2' | head -n 1000 && echo '2,5;3'; } | tconv --delim ';' -O csv | tail -n 1
echo "-- a point may separate thousands, a comma cells"
try 'a;b\n1,5;2.500\n'
try 'a;b\n1.5;2\n2,5;3\n'
{ echo 'a;b' && yes '1,5;2' | head -n 1000 && echo '2.500;3'; } | tconv --delim ';' -O csv || echo "exit code $?"
{ echo 'a;b' && yes '1.5;2' | head -n 1000 && echo '2,500;3'; } | tconv --delim ';' -O csv || echo "exit code $?"
try 'a,b\n1,2\n'
try '1,2\n3,4\n'
