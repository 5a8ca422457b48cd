# Datasets in other files and broken links: the list names them, reading and whole copies refuse them, and no other file
# is opened, not even for a list (opening these would wait for ever).
cp "$FIXTURES"/hdf5/elsewhere.h5 .
mkfifo other.h5 other.raw
timeout 20 tconv --list elsewhere.h5
tconv --list --json elsewhere.h5 | grep -c '"reason"'
echo "-- part of it"
tconv --list elsewhere.h5:/group
tconv --list elsewhere.h5:/other
echo "-- each"
for name in $(tconv --list elsewhere.h5 | sed -n 's/  not readable.*//p'); do
  code=0
  timeout 20 tconv "elsewhere.h5:/$name" -o none.h5 2>&1 || code=$?
  [ $code -eq 65 ] || echo "$name: exit code $code"
done
echo "-- whole"
code=0
tconv elsewhere.h5 -o none.h5 2>&1 || code=$?
echo $code
tdiff elsewhere.h5 elsewhere.h5 2>&1 || code=$?
echo $code
cat elsewhere.h5 | tconv - -o none.h5 2>&1 || code=$?
echo $code
[ ! -e none.h5 ]
tconv elsewhere.h5 --select x --select same -o some.h5
tdiff some.h5:/same elsewhere.h5:/x
echo "-- damaged: what the virtual dataset is made of, where HDF5 1.10 crashed"
heap=$(LC_ALL=C grep -abo GCOL elsewhere.h5 | tail -n 1 | cut -d : -f 1)
for at in 33 40; do
  cp elsewhere.h5 damaged.h5
  printf '\020' | dd of=damaged.h5 bs=1 seek=$((heap + at)) conv=notrunc 2>dd.log
  code=0
  tconv --list damaged.h5 2>&1 || code=$?
  echo $code
done
