# What threads work in does not count, and keys behind a past are made anew in blocks: as much for any number of threads.
attend -q 1x3=1,2,3 -k 2x3=1,2,3,4,5,6 -v 2x1=1,2 -O csv --no-header --max-memory 1K
tconv 1x1x20000x64xf32=1 -o past.h5
tconv 1x1x10x64xf32=1 -o now.h5
tconv 1x1x1x64xf32=1 -o q.h5
for threads in 1 2; do
  past() {
    attend -t $threads -q q.h5 -k now.h5 -v now.h5 --past-key past.h5 --past-value past.h5 --no-history -f -o y.h5 "$@"
  }
  past && mv y.h5 free.h5
  past --max-memory 7M && cmp y.h5 free.h5
  past --max-memory 4M 2>errors || echo $?
done
