# A slab of a table of words and numbers, which is one dataset for each column, is of the table: its second axis chooses
# columns, in any order, and an index makes a vector.
printf 'name,age,city,kg\nAnn,3,Rome,50.5\nBob,4,Oslo,60\nCy,5,Bonn,70\n' >m.csv
try() { tconv m.csv "$@" -O csv || echo "exit code $?"; }
try --slab :,1:2
try --slab 1:,-2:
try --slab :,::-2
try --slab :,1
try --slab 1,2:
try --slab 2
try --select 'a*' --select kg --slab :,1:
tconv m.csv --slab 1:,1:2 -o part.h5
tdiff --strict part.h5 'm.csv:/age[1:]'
# Columns that are not there, none at all, an axis too many.
for slab in :,4 :,4: :,:,0; do try --slab $slab; done 2>&1
# Files that are compared, by their parts.
sed 's/Bob,4/Bob,6/' m.csv >other.csv
differ() { tdiff "$@" || echo "exit code $?"; }
differ m.csv other.csv --slab :,1:2
differ m.csv other.csv --slab 1:,:2
differ m.csv other.csv --slab :,2:
differ m.csv other.csv --slab :,9: 2>&1
differ m.csv part.h5 --slab a=1:,1
differ m.csv part.h5 --slab a=1:,1:2
