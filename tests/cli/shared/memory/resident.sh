# Pages of a mapped file that chunks were read from do not stay beside what was read, and of pairs that tdiff compares
# one is in memory at a time: measured against a tensor that is read in place, as sanitizers have their own share.
command -v h5repack >/dev/null && [ -x /usr/bin/time ] || exit 77
resident() { /usr/bin/time -f %M -o kilobytes "$@" >/dev/null && cat kilobytes; }
tconv linspace=0,1,5000000 --reshape 5000,1000 -o flat.h5:/x
h5repack -l x:CHUNK=100x100 flat.h5 chunks.h5
h5repack -l x:CHUNK=100x100 -f x:GZIP=1 flat.h5 gzip.h5
h5repack -l x:CHUNK=5000x10 flat.h5 columns.h5
in_place=$(resident tconv --list --values flat.h5)
for file in chunks gzip columns; do
  copied=$(resident tconv --list --values $file.h5)
  [ "$copied" -lt $((in_place + 16000)) ] || echo "$file: $copied KB, in place $in_place KB"
done
# A little of each chunk, and every second of many: neither what the library keeps of chunks nor their pages add up.
h5repack -l x:CHUNK=1x1000 flat.h5 rows.h5
h5repack -l x:CHUNK=5000x1 flat.h5 column.h5
for part in "rows.h5[:,::1000]" "column.h5[:,::2]"; do
  copied=$(resident tconv --list --values "$part")
  [ "$copied" -lt $((in_place + 16000)) ] || echo "$part: $copied KB, in place $in_place KB"
done
# What is converted on its way into memory: bytes in the other order, columns one after the other.
tconv flat.h5:/x -o little.npy
sed "s/'<f8'/'>f8'/" little.npy >big.npy
sed "s/False, 'shape': (5000, 1000)/True,  'shape': (5000, 1000)/" big.npy >fortran.npy
for slab in '' '[:,::2]'; do
  for file in big fortran; do
    copied=$(resident tconv --list --values "$file.npy$slab")
    [ "$copied" -lt $((in_place + 16000)) ] || echo "$file$slab: $copied KB, in place $in_place KB"
  done
done
# A packed file beside what it unpacks to.
gzip -1 -k little.npy
copied=$(resident tconv --list --values little.npy.gz)
[ "$copied" -lt $((in_place + 16000)) ] || echo "little.npy.gz: $copied KB, in place $in_place KB"
# Tables: their text is not in memory beside what it says, with quotes or without.
tconv flat.h5:/x[:2500] -O csv --no-header -o plain.csv
sed 's/[^,]*/"&"/g' plain.csv >quoted.csv
for file in plain quoted; do
  parsed=$(resident tconv --list --values $file.csv --no-header --max-memory 21M)
  [ "$parsed" -lt "$in_place" ] || echo "$file: $parsed KB, in place $in_place KB"
done
for part in 0 1 2 3 4 5 6 7; do tconv flat.h5:/x[:1000] -A -o parts.h5:/$part; done
h5repack -l CHUNK=100x100 parts.h5 pairs.h5
for file in parts pairs; do
  compared=$(resident tdiff $file.h5 $file.h5)
  [ "$compared" -lt "$in_place" ] || echo "tdiff $file: $compared KB, in place $in_place KB"
done
# A search for a bandwidth and the work on a long line stay below --max-memory, or are refused.
program=$(resident nwreg -x 2xf32=0,1 -y 2xf32=0,1 --bandwidth 1 --quiet)
within() { # BYTES COMMAND...
  limit=$1 code=0
  shift
  /usr/bin/time -f %M -o kilobytes "$@" --max-memory "$limit" >/dev/null 2>errors || code=$?
  [ $code -eq 0 ] || [ $code -eq 71 ] || echo "$* --max-memory $limit: $code $(cat errors)"
  taken=$(tail -n 1 kilobytes) beside=0
  [ $code -eq 0 ] || beside=6000  # pages of files that it was reading
  [ "$taken" -lt $((program + limit / 1000 + beside)) ] || echo "$*: $taken KB, allowed $limit bytes, program $program KB"
}
awk 'BEGIN { srand(1); print "x,y"; for (i = 0; i < 500000; ++i) print rand() "," rand() }' >noise.csv
tconv noise.csv:/x -o noise-x.npy
tconv noise.csv:/y -o noise-y.npy
for limit in 10000000 30000000 60000000 90000000; do
  within $limit nwreg -x noise-x.npy -y noise-y.npy --bandwidth cv --quiet
done
[ $code -eq 0 ] || echo "nwreg: $limit bytes are not enough"
seq -s ' ' 100000 >line.txt
for view in '' --tokens --json '--json --offsets' '-O h5 --offsets'; do
  for limit in 30000000 300000000; do
    # shellcheck disable=SC2086
    within $limit tokenize -m "$EXAMPLES/dates" line.txt $view
  done
  [ $code -eq 0 ] || echo "tokenize $view: $limit bytes are not enough"
done
# Ids of lines of unlike lengths are held without what fills their rows up.
(seq 100000 | sed 's/$/ March 2021/' && seq -s ' ' 30) >lines.txt
encoded=$(resident tokenize -m "$EXAMPLES/dates" lines.txt -O h5 --offsets)
[ "$encoded" -lt "$in_place" ] || echo "tokenize: $encoded KB, in place $in_place KB"
