# --list shows whatever an operand names, and of a table only what can be read.
. "$SUPPORT/try.sh"
tconv linspace=0,1,24 --reshape 4,3,2 -o x.h5:/x --no-history
printf 'age,height,name\n1,2,a\n3,4,b\n' >x.csv
try tconv --list x.csv:/age,height
try tconv --list --values x.csv:/height
try tconv --list --json x.csv:/name
try tconv --list --values 3=1,2,3
try tconv --list str=Smith,Sato
try tconv --list --values 'x.h5:/x[0]'
try tconv --list 'x.h5[:2,:,1]'
try tconv --list 'x.csv:/age,height[:,1]'
printf 'a,b\n1,2\n' >ab.csv
try tconv --list 'ab.csv[:,1]'
try tconv --list 'ab.csv[:0,:1]'
tconv ab.csv --slab :,1 | tconv --list --select '*'
try tconv --list --select y 3=1,2,3
try tconv --list --select x 3=1,2,3
try tconv --list 'x.h5:/x[9]'
try tconv --list x.csv:/weight
try tconv --list 'x.csv:/age,name'
printf '1,2\n3\n' >ragged.csv
printf '1,2\n3,word\n' >word.csv
printf '1,2\n,4\n' >empty.csv
for file in ragged word empty; do try tconv --list $file.csv; done
try tconv --list --missing nan empty.csv
try tconv --list --missing omit empty.csv
