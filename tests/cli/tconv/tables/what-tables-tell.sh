# Strings and whole numbers come back from text as they were, with a word about them only where the rows do not tell.
same() { # OPERAND
  tconv "$1" -o x.h5 -f && tconv x.h5 -o x.csv -f && tconv x.csv -o y.h5 -f && tdiff x.h5:/y y.h5:/table
  head -n 1 x.csv
}
same 2x1xstr=007,12
same 2x1xstr=1,NA
same 2x2xstr=1,a,2,b
same 1x2xstr='1;2,1|2'
same 2x1xi64=9007199254740993,-1
same 2x1xu64=18446744073709551615,1
# Beside numbers quotes are enough.
tconv --rename y=id 2x1xstr=1, -o z.h5
tconv --rename y=n 2x1xi64=1,9007199254740993 -o z.h5 -A
tconv z.h5 -O csv | tee z.csv
tconv z.csv:/id -o id.h5 && tdiff id.h5:/id z.h5:/id
tconv z.csv:/n -o n.h5 && tdiff n.h5:/n z.h5:/n
# Large numbers behind the rows that are looked at.
{ echo v; yes 1 | head -n 1000; echo 9007199254740993; } >late.csv
tconv late.csv -O csv || echo "exit code $?"
tconv late.csv --dtype i64 -o late.h5
tconv late.h5 -o again.csv
head -n 1 again.csv
tconv again.csv -o again.h5
tdiff late.h5 again.h5
tdiff again.csv late.h5
