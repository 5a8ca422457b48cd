# Lines that begin with #: what may be a row and is left out, or may be none and is read, is said once.
exec 2>&1
try() {
  echo "-- $*"
  tconv "$@" -O csv || echo "exit code $?"
}
printf '# written by hand\ncolour,n\n#ff0000,3\n#00ff00,4\n# said twice\nred,5\n' >colours.csv
try colours.csv:/n
try colours.csv:/colour --comment none
try colours.csv:/n --comment '#'
printf '#x,y\n1,2\n' >names.csv
try names.csv
try names.csv --comment none
printf '#title\n#1\n\n1,2\n' >obvious.csv
try obvious.csv
printf 'what,n\n# of cases,12\nrest,3\n' >cases.csv
try cases.csv
try cases.csv --comment none
printf '#a\n#b\n' >nothing-else.csv
try nothing-else.csv
try nothing-else.csv --comment none
printf '%% of matlab\n1,2\n%%3,4\n5,6\n' >percent.csv
try percent.csv --comment %
printf 'x,y\n1,2\n#3,4\n5,6\n' >out.csv
try out.csv
try out.csv --comment '#'
printf 'x,y\n1,2\n#metres\n5,6\n' >one-cell.csv
try one-cell.csv
printf '"a\n#b",1\n"c",2\n' >quoted.csv
try quoted.csv:/1 --no-header
for comment in '' ab 1 x , '"'; do
  try percent.csv --comment "$comment"
done
