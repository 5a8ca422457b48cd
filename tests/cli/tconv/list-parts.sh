# --list shows whatever an operand names, and of a table only what can be read.
try() { tconv --list "$@" || echo "exit code $?"; }
tconv linspace=0,1,24 --reshape 4,3,2 -o x.h5:/x --no-history
printf 'age,height,name\n1,2,a\n3,4,b\n' >x.csv
try x.csv:/age,height
try --values x.csv:/height
try --json x.csv:/name
try --values 3=1,2,3
try str=Smith,Sato
try --values 'x.h5:/x[0]'
try 'x.h5[:2,:,1]'
try 'x.csv:/age,height[:,1]'
printf 'a,b\n1,2\n' >ab.csv
try 'ab.csv[:,1]'
try 'ab.csv[:0,:1]'
tconv ab.csv --slab :,1 | tconv --list --select '*'
try --select y 3=1,2,3
try --select x 3=1,2,3
try 'x.h5:/x[9]'
try x.csv:/weight
try 'x.csv:/age,name'
printf '1,2\n3\n' >ragged.csv
printf '1,2\n3,word\n' >word.csv
printf '1,2\n,4\n' >empty.csv
for file in ragged word empty; do try $file.csv; done
try --missing nan empty.csv
try --missing omit empty.csv
