# States of shards join to the bits of one run, for any number of keys and of shards, in any order.
posenc --length 12288 --dim 6 --base 50 --dtype f32 -O npy -o all.npy
posenc --length 5 --dim 6 --base 7 --dtype f32 -O npy -o q.npy
check() {
  for n in 1 2 3 7; do
    rm -f part-*.h5
    for i in $(seq "$n" | sort -R); do
      attend -q q.npy -k "k.npy" -v k.npy "$@" --shard "$i/$n" --emit state -t "$((i % 2 + 1))" -o "part-$i.h5"
    done
    tmerge $(ls part-*.h5 | sort -R) --emit lse -f -o y.h5
    tdiff y.h5:/y one.h5:/y --ulp 0
    tdiff y.h5:/lse one.h5:/lse --ulp 0
  done
}
for keys in 1 511 4095 4096 4097 12288; do
  tconv "all.npy[:$keys]" -f -O npy -o k.npy
  attend -q q.npy -k k.npy -v k.npy --scale 9 --emit lse -f -o one.h5
  check --scale 9
done
attend -q q.npy -k k.npy -v k.npy --causal-bottom-right --window 5000,0 --softcap 2 --emit lse -f -o one.h5
check --causal-bottom-right --window 5000,0 --softcap 2

# Keys from a pipe, from a part of a file and within --max-memory.
cat k.npy | attend -q q.npy -k - -v k.npy --scale 9 --shard 1/2 --emit state -f -o part-1.h5
attend -q q.npy -k 'all.npy[:]' -v all.npy --scale 9 --max-memory 2M -t 1 --shard 2/2 --emit state -f -o part-2.h5
attend -q q.npy -k k.npy -v k.npy --scale 9 -f -o one.h5
tmerge part-1.h5 part-2.h5 | tdiff - one.h5 --ulp 0

# NaN, infinity and large numbers are those of one run.
tconv --concat 0 'all.npy[:5000]' 3x6xf32=nan,0,0,0,0,0,inf,0,0,0,0,0,0,0,0,3e38,0,3e38 all.npy -f -O npy -o k.npy
check() {
  attend -q "$1" -k "$2" -v 'k.npy[:12288]' --emit lse -f -o one.h5
  rm -f part-*.h5
  for i in 1 2 3; do attend -q "$1" -k "$2" -v 'k.npy[:12288]' --shard "$i/3" --emit state -o "part-$i.h5"; done
  tmerge part-?.h5 --emit lse | tdiff - one.h5 --ulp 0
}
check q.npy all.npy
check q.npy 'k.npy[:12288]'
check 2x6xf32=1,0,0,0,0,0,nan,0,0,0,0,1 'k.npy[:12288]'

# What a shard reads, and what it needs of memory.
attend -q q.npy -k all.npy -v all.npy --shard 2/3 --emit state -n
