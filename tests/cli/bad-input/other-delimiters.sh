# Numbers with something else between than was expected do not become text unsaid.
exec 2>&1
try() {
  printf "$1" >t.csv
  shift
  tconv t.csv -O csv "$@" || echo "exit code $?"
}
for separator in ';' '\t' '|' ' '; do
  echo "-- '$separator'"
  try "1${separator}2\n3${separator}4\n"
  try "a${separator}b\n1${separator}2\n"
  try "1${separator}2\n" --no-header
  try "name${separator}age\nSmith${separator}12\nSato${separator}13\n"
  try "a${separator}b\n1${separator}2\n" --delim "$separator" | head -n 1
done
echo "-- rows of several lengths, missing numbers, decimal commas"
try '1;2\n3;4;5\n' --header
try 'a;b\n1;\n2;NA\n'
try 'a;b\n1,5;2,5\n'
try '1;2,5\n3;4,5\n'
try '1;2,5\n3;4,5\n' --delim ';'
try 'a;b\n1;2,5\n3;4,5\n' --delim ';'
tconv t.csv:/a --delim ';' -O csv
try 'a;b\n1;2\n2,5;3\n' --delim ';'
printf '1,2\n3,4\n' >t.tsv
tconv t.tsv -O csv || echo "exit code $?"
try '"x";"y"\n1;2\n'
try '"x" "y"\n"1" 1 2\n'
echo "-- text"
try 'say;so\nno; never\nto be; or not\n'
try 'to;be\na\nb\n'
try '"1;2"\n"3;4"\n'
try '1;2\n3;4\n' --delim , --quiet | tconv | tconv -O csv
try 'a;b\n"2,5";x\n' --delim ';'
try 'text,ids\na,1 2\nb,3 4\n'
try 'text,ids\na,1 2\nb,3 4\n' -o ids.tsv
tconv ids.tsv -O csv
