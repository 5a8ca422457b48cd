# The best keys of each shard merge to the search of one run: the same file, ties by key number, NaN first.
posenc --length 14000 --dim 6 --base 50 --dtype f32 -O npy -o all.npy
tconv 'all.npy[3:8]' -O npy -o q.npy
tconv --concat 0 'all.npy[:9000]' 'all.npy[:9000]' -O npy -o k.npy
check() {
  attend -q q.npy -k k.npy --no-history "$@" --emit topk=6 -f -o one.h5
  for n in 1 2 3 7; do
    rm -f part-*.h5
    for i in $(seq "$n"); do
      attend -q q.npy -k k.npy "$@" --emit "topk=6,state" --shard "$i/$n" -t "$((i % 2 + 1))" -o "part-$i.h5"
    done
    tmerge $(ls part-*.h5 | sort -R) --no-history -f -o y.h5
    cmp one.h5 y.h5
  done
}
check
check --score dot --max-memory 2M
check --score cosine
check --score parabolic --bandwidth 2
tconv k.npy --dtype f64 -O npy -f -o k.npy
check --score cosine
tconv --concat 0 k.npy 2x6xf64=nan,0,0,0,0,0,0,0,0,0,0,nan -O npy -f -o k.npy
check --score dot

part() { attend -q q.npy -k k.npy --shard "$1/3" --emit state,topk=6 -o "$1.h5"; } # NUMBER
part 1
part 2
part 3
tmerge 2.h5 1.h5 --emit state -o 12.h5
tmerge 3.h5 12.h5 -o all.h5
attend -q q.npy -k k.npy --emit topk=6 -f -o one.h5
tdiff all.h5 one.h5 --ulp 0
