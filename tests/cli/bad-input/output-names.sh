# Output names that say what will not be done: compressed, or a name in a format without names.
refused() {
  code=0
  "$@" || code=$?
  [ $code -eq 2 ] || echo "$*: exit code $code"
}
refused tconv 3=1,2,3 -o k.csv.gz
refused tconv 3=1,2,3 -O csv -o k.gz
refused tconv 3=1,2,3 -o f.npy:/q
refused tconv 3=1,2,3 -O npy -o f:/q
refused tconv 3=1,2,3 -O npy -o -:/q
[ "$(ls)" = "" ]
tconv 3=1,2,3 -O csv | gzip >k.csv.gz
tdiff k.csv.gz 3=1,2,3
