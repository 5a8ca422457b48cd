# More parts than a process may have open files.
posenc --length 9000 --dim 4 --dtype f32 -O npy -o k.npy
tconv 'k.npy[:300]' -O npy -o q.npy
for i in $(seq 300); do
  attend -q q.npy -k k.npy -v k.npy --shard "$i/300" -o "rows-$i.h5"
  attend -q q.npy -k k.npy -v k.npy --shard "$i/300" --emit state -o "state-$i.h5"
done
attend -q q.npy -k k.npy -v k.npy --no-history -o one.h5
ulimit -n 280
tmerge rows-*.h5 --no-history -o y.h5
cmp one.h5 y.h5
tmerge state-*.h5 | tdiff - one.h5 --ulp 0
tmerge --list-missing state-*.h5
rm state-100.h5 state-2?.h5 rows-7.h5
tmerge --list-missing state-*.h5
tmerge --list-missing rows-*.h5
