# Where missing values are asked for, a first row of them is data, also in quotes, as pandas writes one that is alone.
exec 2>&1
named() {
  echo; printf '%s\n' "$1"
  printf "$@" | tconv --missing nan -O csv
}
named '""\n1.5\n3.0\n'
named '"NA"\n1\n'
named '"",""\n1,2\n'
named '\n1\n3\n'
echo "-- not asked for"
printf '"",""\n1,2\n' | tconv -O csv
echo "-- names of pandas"
printf '0,1\n0,1\n2,3\n' | tconv -O csv
printf '0,1\n0,1\n2,3\n' | tconv -O csv --header
