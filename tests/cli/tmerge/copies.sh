# A part may be computed from a copy of the queries in another format: the hash of an input is that of its elements.
posenc --length 30000 --dim 6 --dtype f64 -o q.h5
posenc --length 64 --dim 6 --dtype f64 -o k.h5
attend -q q.h5 -k k.h5 -v k.h5 --no-history -o one.h5
tconv q.h5 -o q.csv && tconv q.h5 -o q.npy && tconv q.h5 --compress gzip -o small.h5
i=0
for copy in q.h5 q.csv q.npy small.h5; do
  attend -q $copy -k k.h5 -v k.h5 --shard $((i += 1))/4 -o part-$i.h5
done
tmerge part-?.h5 --no-history -o y.h5
cmp one.h5 y.h5
