# gzip, shuffle and Fletcher's checksum in every chain, all numbers, whole and in parts, from files and pipes.
cp "$FIXTURES"/hdf5/filtered*.h5 .
for file in filtered.h5 filtered-v110.h5; do
  for name in $(tconv --list $file | sed 's/  .*//'); do
    case $name in plain | holes | words) continue ;; esac
    tdiff $file:/$name $file:/plain || echo "$file:/$name differs"
    tdiff "$file:/$name[1:12:3,-8:,4]" "$file:/plain[1:12:3,-8:,4]" || echo "$file:/$name differs in part"
  done
  cat $file | tdiff -:/shuffle-gzip-fletcher/f8 $file:/plain
  tdiff $file:/words str=Smith,,Sato
  tdiff "$file:/holes[3:6,3:6]" 3x3=7.5,7.5,7.5,7.5,1,7.5,7.5,7.5,7.5
  tdiff "$file:/holes[0:9:8]" 2x9=7.5
done
