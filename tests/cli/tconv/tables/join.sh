# Tables of words and numbers, a dataset for each column, are joined column by column, by name; columns that differ are
# named.
printf 'name,age,height\nBob,1,2.5\nAnn,3,4\n' >a.csv
printf 'name,age,height\nCid,5,6\n' >b.csv
printf 'height,name,age\n7,Dan,8\n' >other-order.csv
printf 'name,age\nEve,9\n' >short.csv
printf 'name,age,weight\nEve,9,1\n' >weight.csv
printf 'name,age,height\n' >empty.csv
printf 'name,age,height\nx,y,z\n' >words.csv
printf 'Zoe,1,2\nYan,3,4\n' >nameless.csv
try() {
  echo "-- $*"
  tconv "$@" -O csv || echo "exit code $?"
}
try a.csv b.csv --concat 0
try a.csv other-order.csv b.csv --concat 0
try a.csv b.csv --slab :1 --select name --select height --concat 0
try empty.csv a.csv --concat 0
try a.csv short.csv --concat 0
try short.csv a.csv --concat 0
try a.csv short.csv --select name --select age --concat 0
try a.csv weight.csv --concat 0
try a.csv words.csv --concat 0
try nameless.csv nameless.csv --concat 0 --no-header
try a.csv a.csv --concat 1
try a.csv b.csv --concat 1
tconv a.csv -o a.h5
tconv nameless.csv --no-header -o nameless.h5
try a.h5 other-order.csv --concat 0
tconv a.csv a.csv --stack 0 | tconv -:/name[1] -O csv --no-header
try a.csv --rename name=who,age=years
try a.csv b.csv --rename name=who --concat 0
try nameless.csv --no-header --rename 0=who
tconv a.h5 --rename name=who | tconv - -O csv
# Of equal names no column tells which it is.
printf 'a,a,b\n1,x,2\n' >twins.csv
printf 'a,b,a\n1,2,x\n' >moved.csv
try twins.csv twins.csv --concat 0
try twins.csv moved.csv --concat 0
echo "-- without names, or with others"
printf '1,2\n3,4\n' >n.csv
printf 'x,y\n5,6\n' >xy.csv
printf 'x,z\n7,8\n' >xz.csv
try xy.csv n.csv --concat 0
try n.csv xy.csv --concat 0
try n.csv xy.csv --slab :,1 --concat 0
try xy.csv xz.csv --slab :,1 --concat 0
try xy.csv:/x xy.csv:/y --concat 0
try xy.csv xz.csv xz.csv --concat 0
try xy.csv 'n.csv[:1]' --concat 1
printf 'x,y,z\n1,2,3\n' >xyz.csv
try xy.csv xyz.csv --concat 0
