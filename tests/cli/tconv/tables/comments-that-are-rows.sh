# A line that begins with # and has as many cells as the table is said to be left out: the first, and how many.
exec 2>&1
try() {
  echo; printf '%s\n' "$1"
  printf "$@" | tconv -O csv --no-header
}
try '#N/A\n1\n2\n'
try '# 1\n2\n3\n'
try '1\n# 2\n3\n# 4\n'
try '"1"\n2\n# 3\n'
try '# shape=2 dtype=f64\n1\n2\n'
try '# a,b\n1,2\n'
try '# three,of,cells\n1,2\n'
echo "-- words"
printf 'color\n# ff0000\nred\n' | tconv -O csv
printf 'color\n# ff0000\nred\n' | tconv -O csv --comment none
printf '#tag\nfoo\nbar\n' | tconv -O csv
echo "-- blanks between"
printf '# 1 2\nthe 3 4\n' | tconv -:/1,2 --no-header --delim ' ' -O csv
