# Columns by ranges with both ends in them and by patterns, of names and of numbers, in tables, matrices and records.
. "$SUPPORT/try.sh"
cat >words.csv <<'END'
id,age,height,e1,e2,e10,pre-test,y
a,20,150,1,2,3,4,0
b,21,153,5,6,7,8,1
END
same() { tconv "$1" -O csv | diff - "$2" >&2 || echo "$1 differs"; }
cut -d , -f 2-4 words.csv >want
same words.csv:/1-3 want
same words.csv:/age-e1 want
same words.csv:/1-e1 want
same 'words.csv:/age - e1' want
same words.csv:/age,height-e1 want
cut -d , -f 4-6 words.csv >want
same 'words.csv:/e*' want
same 'words.csv:/e[0-9]*' want
same 'words.csv:/e1,e?,e1*' want
cut -d , -f 3- words.csv >want
same words.csv:/2- want
same words.csv:/height- want
# A name that is there is no range, and begins one.
cut -d , -f 7 words.csv >want
same words.csv:/pre-test want
cut -d , -f 7- words.csv >want
same words.csv:/pre-test-y want
same words.csv:/6- want
awk -F , -v OFS=, '{ print $8, $7, $6 }' words.csv >want
same words.csv:/y-e10 want
# A list with empty cells, as a line of a table has them.
cut -d , -f 2,3 words.csv >want
same words.csv:/age,,height, want
printf 'x,y,,\n1,2,,\n5,6,,\n' >excel.csv
cut -d , -f 1,2 excel.csv >want
same "excel.csv:/$(head -n 1 excel.csv)" want
# Without names; a part of the rows; a column of a pattern's name.
sed 1d words.csv >bare.csv
tconv 'bare.csv:/1-3[1:]' --no-header -O csv
printf 'e*,e1,1-2\n1,2,3\n' >odd.csv
tconv 'odd.csv:/e*' -O csv
tconv odd.csv:/1-2 -O csv
# Matrices and records of HDF5, and every kind of operand.
tconv words.csv:/1-7 -o m.h5:/table
cut -d , -f 4-6 words.csv >want
for columns in 'm.h5:/e*' m.h5:/e1-e10 m.h5:/2-4 'm.h5:/table/e*' m.h5:/table/2-4; do
  same "$columns" want
  tdiff "$columns" words.csv:/e1-e10
done
tconv 2x4=1,2,3,4,5,6,7,8 -o plain.h5:/w
tdiff plain.h5:/w/1-2 2x2=2,3,6,7
cp "$FIXTURES"/hdf5/records.h5 .
tdiff records.h5:/whole/x-n records.h5:/whole/x,y,n
tdiff 'records.h5:/whole/pos/*' records.h5:/whole/pos/a,pos/b
attend --normalize hard -q str=b -k words.csv:/0 -v words.csv:/1- -O csv | sed 1d
linear 'words.csv:/e*' -w 1x3=1,10,100 -O csv
tconv -:/1- -O csv <words.csv | tdiff - words.csv:/1-7
for columns in 1-30 1:3 1..3 -1 'q*' agx-height age-hight 9 age,age 0-2; do
  try tconv "words.csv:/$columns" -O csv
done
try tconv words.csv:/x,y --no-header
try tconv m.h5:/table/1-30
try tconv plain.h5:/w/zz
try tconv excel.csv:/,
try attend --normalize hard -q str=b -k words.csv:/0 -v 'words.csv[:,1:]'
