# Output names that say what will not be done: compressed, or a name in a format without names.
. "$SUPPORT/try.sh"
try tconv 3=1,2,3 -o k.csv.gz
try tconv 3=1,2,3 -O csv -o k.gz
try tconv 3=1,2,3 -o f.npy:/q
try tconv 3=1,2,3 -O npy -o f:/q
try tconv 3=1,2,3 -O npy -o -:/q
[ "$(ls)" = "" ]
tconv 3=1,2,3 -O csv | gzip >k.csv.gz
tdiff k.csv.gz 3=1,2,3
