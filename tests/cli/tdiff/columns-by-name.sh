# Columns are compared by their names, in whatever order.
. "$SUPPORT/try.sh"
printf 'x,y\n1,2\n3,4\n' >xy.csv
printf 'y,x\n1,2\n3,4\n' >yx.csv
printf 'y,x\n2,1\n4,3\n' >moved.csv
printf '# a table\ny\tx\n2\t1\n4\t3\n' >moved.tsv
try tdiff xy.csv yx.csv
try tdiff --by-position xy.csv yx.csv
try tdiff xy.csv moved.csv
try tdiff xy.csv moved.tsv
try tdiff - moved.csv <xy.csv
try tdiff xy.csv moved.csv --slab 0:1
try tdiff 'xy.csv[1]' 'moved.csv[1]'
try tdiff --strict xy.csv moved.csv
tconv xy.csv -o xy.h5:/d
try tdiff xy.h5 moved.csv
try tdiff xy.h5:/d moved.csv
# By position: without names, and columns that an operand chooses.
try tdiff xy.csv 2x2=1,2,3,4
sed 1d xy.csv >bare.csv
try tdiff xy.csv bare.csv
try tdiff xy.csv:/x,y moved.csv:/x,y
try tdiff xy.csv:/x yx.csv:/y
try tdiff 'xy.csv[:,0]' 'yx.csv[:,0]'
# Names that tell no order: those that writers count, and that of one column.
tconv 2x2=1,2,3,4 -o y.h5:/y
tconv y.h5:/y -O csv >y.csv
tconv y.h5:/y -O csv --rename y=fit >fit.csv
head -qn 1 y.csv fit.csv
try tdiff y.csv fit.csv
try tdiff y.csv xy.csv
printf 'y1,y0\n2,1\n4,3\n' >back.csv
try tdiff y.csv back.csv
printf 'a\n1\n' >a.csv
printf 'b\n1\n' >b.csv
try tdiff a.csv b.csv
# Other names.
printf 'x,z\n1,2\n3,4\n' >xz.csv
printf 'X,y\n1,2\n3,4\n' >case.csv
printf 'id,x,y\n7,1,2\n8,3,4\n' >id.csv
printf 'x,x\n1,2\n3,4\n' >twice.csv
try tdiff xy.csv xz.csv
try tdiff xy.csv case.csv
try tdiff xy.csv id.csv
try tdiff id.csv xy.csv
try tdiff twice.csv twice.csv
try tdiff twice.csv xy.csv
try tdiff --by-position xy.csv xz.csv
try tdiff --json xy.csv xz.csv | grep obstacle
# Tables of words and numbers.
printf 'name,n\na,1\nb,2\n' >words.csv
printf 'n,name\n1,a\n2,b\n' >turned.csv
printf 'word,n\na,1\nb,2\n' >word.csv
try tdiff words.csv turned.csv
try tdiff words.csv word.csv
try tdiff --by-position words.csv word.csv
try tdiff --by-position words.csv turned.csv 2>&1
sed 1d words.csv >bare.csv
try tdiff --no-header bare.csv bare.csv
# So is --check.
tconv xy.csv --check moved.csv -O csv 2>&1 >/dev/null
tconv xy.csv --check yx.csv -O csv 2>&1 >/dev/null || echo "exit $?"
tconv xy.csv --check xz.csv -O csv 2>&1 >/dev/null || echo "exit $?"
