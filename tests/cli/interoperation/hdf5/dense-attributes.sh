# Many attributes of one object lie in heaps, and the strings among them elsewhere without a checksum: whole files are
# read, and damage is bad data (h5py's files made HDF5 1.10 crash or run for ever).
cp "$FIXTURES"/hdf5/dense.h5 a.h5
tconv --list a.h5:/x | cut -c 1-40
tconv --quiet a.h5 -o b.h5
tdiff --strict a.h5 b.h5
tconv --list "$FIXTURES"/hdf5/named-type.h5
strings=$(LC_ALL=C grep -abo GCOL a.h5 | head -n 1 | cut -d : -f 1)
large=$(LC_ALL=C grep -abo 'columns' a.h5 | head -n 1 | cut -d : -f 1)
[ "$strings" -gt 0 ] && [ "$large" -gt 0 ]
# The byte, from where the heap of strings or the large attribute begins, and what becomes of it, in octal.
while read -r from at value; do
  cp a.h5 damaged.h5
  printf "\\$value" | dd of=damaged.h5 bs=1 seek=$((from + at)) conv=notrunc 2>dd.log
  for run in 'tconv --list damaged.h5' 'tconv --quiet damaged.h5 -f -o out.h5' 'tdiff --strict damaged.h5 a.h5'; do
    code=0
    timeout 20 $run >out 2>errors || code=$?
    [ $code -eq 65 ] || echo "$run: $from + $at = $value: exit code $code, $(cat errors)"
  done
done <<END
$strings 0 000
$strings 9 001
$strings 24 377
$strings 26 001
$strings 31 001
$strings 66 377
$large -2 377
$large 8 017
$large 33 377
$large 53 377
$large 61 377
END
