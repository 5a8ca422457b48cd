# Keys and values that exceed --max-memory are read in blocks, and give the same bits.
tconv linspace=0,100,3000000 -o keys.h5
pool() { attend --score gaussian --bandwidth 0.5 -q linspace=0,100,7 -k keys.h5 -v keys.h5 --emit lse --no-history "$@"; }
pool -o whole.h5
pool --max-memory 30M -t 1 --verbose -o blocks.h5 2>messages
cmp whole.h5 blocks.h5
grep -c 'keys and values are read [0-9]* at a time' messages

# Whatever is allowed above what is enough is enough.
tconv 1x1x1x64xf32=1 -o q.h5
tconv 1x1x20011x64xf32=1 -o k.h5
for bytes in 9500000 10500000 14000000 18000000 19000000 30000000; do
  attend -q q.h5 -k k.h5 -v k.h5 --max-memory $bytes -t 1 -f -o o.h5 && echo $bytes
done

# What threads work in does not count, and keys behind a past are made anew in blocks: as much for any number of threads.
attend -q 1x3=1,2,3 -k 2x3=1,2,3,4,5,6 -v 2x1=1,2 -O csv --no-header --max-memory 1K
tconv 1x1x20000x64xf32=1 -o past.h5
tconv 1x1x10x64xf32=1 -o now.h5
for threads in 1 2; do
  past() {
    attend -t $threads -q q.h5 -k now.h5 -v now.h5 --past-key past.h5 --past-value past.h5 --no-history -f -o y.h5 "$@"
  }
  past && mv y.h5 free.h5
  past --max-memory 7M && cmp y.h5 free.h5
  past --max-memory 4M 2>errors || echo $?
done
