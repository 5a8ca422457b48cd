# Shards without --emit state have rows of the queries: tmerge gives the file of one run, for all results with rows.
posenc --length 120 --dim 8 --base 50 --dtype f32 -o all.h5
check() {
  attend "$@" --no-history -f -o one.h5 2>>notes
  for n in 1 2 7; do
    rm -f part-*.h5
    for i in $(seq "$n"); do attend "$@" --shard "$i/$n" -o "part-$i.h5" 2>>notes; done
    tmerge $(ls part-*.h5 | sort -R) --no-history -f -o y.h5
    cmp one.h5 y.h5 || echo "differs: $*, $n parts"
  done
}
check -q 'all.h5:/y[:20]' -k all.h5 -v all.h5 --emit weights,lse,topk=3
check -q 'all.h5:/y[9:0:-2]' -k all.h5 -v all.h5 --causal
check -q linspace=0,1,5 -k linspace=0,2,9 -v linspace=3,4,9 --score gaussian --bandwidth 0.3
tconv all.h5 --reshape 4,30,8 -f -o heads.h5
check -q heads.h5 -k heads.h5 -v heads.h5 --layout heads-first --alibi --window 5,2 --emit weights,scores-masked,lse
check -q heads.h5 -k heads.h5 -v heads.h5 --heads 2 --causal --valid-lens 4=30,7,9,12
tconv all.h5 --reshape 30,4,8 -f -o heads.h5
check -q heads.h5 -k 'heads.h5[:9]' -v 'heads.h5[:9]' --layout batch-length-heads --causal-bottom-right --emit lse,topk=2
check -q 'heads.h5[4:10]' -k heads.h5 -v heads.h5 --past-key heads.h5 --past-value heads.h5 --causal \
  --layout batch-length-heads --emit keys,values,lse
# Masks, biases and lengths with a row for each query.
tconv 'all.h5:/y[:,0]' --reshape 2,1,5,12 -f -o bias.h5
tconv 'all.h5[:72]' --reshape 2,3,12,8 -f -o k.h5
tconv 'all.h5[:30]' --reshape 2,3,5,8 -f -o q.h5
check -q q.h5 -k k.h5 -v k.h5 --bias bias.h5 --mask 5x12xu8=1,1,0,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,1,0,1,0,1,0,1,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0 \
  --emit weights
check -q q.h5 -k k.h5 -v k.h5 --valid-lens 2x5=1,2,3,4,5,6,7,8,9,10 --emit scores
check -q q.h5 -k k.h5 -v k.h5 --mask 2x12xu8=1,1,0,1,1,1,1,1,1,1,1,1,0,1,1,0,0,1,0,0,1,0,0,0
# Searches, tables, --max-memory.
check -q 'all.h5:/y[:9]' -k all.h5 --emit topk=4
tconv 'all.h5:/y[:9]' -o q.csv
check -q q.csv -k all.h5 -v all.h5
posenc --length 9000 --dim 8 --dtype f32 -O npy -o k.npy
check -q 'all.h5:/y[:9]' -k k.npy -v k.npy --max-memory 2M -t 1
check -q 'all.h5:/y[:9]' -k k.npy --score dot --emit topk=4 --max-memory 2M -t 1

! grep -v 'no key left' notes

# Of a file only the rows of the shard stay in memory; the others are hashed.
refused() { tmerge "$@" -f -o y.h5 || echo $?; }
posenc --length 200000 --dim 64 --dtype f32 -O npy -o q.npy
large() {
  attend -q "$1" -k all.h5:/y[:8] -v all.h5:/y[:8] --score additive --wq 1x64=1 --wk 1x8=1 --wv 1=1 \
    --shard "$2" --max-memory 80M -t 1 -f -o "$3"
}
attend -q q.npy -k all.h5:/y[:8] -v all.h5:/y[:8] --score additive --wq 1x64=1 --wk 1x8=1 --wv 1=1 --shard 3/200 -n | head -n 1
tconv q.npy --compress lzf -f -o q.h5
large q.npy 1/200 1.h5 && large q.h5 2/200 2.h5 && tmerge --list-missing 1.h5 2.h5 | wc -l
printf x | dd of=q.npy bs=1 seek=50000000 conv=notrunc 2>/dev/null
large q.npy 2/200 2.h5 && refused 1.h5 2.h5 2>message
cut -d ' ' -f 1-6 message

# Errors.
part() { shard=$1 name=$2; shift 2; attend -q 'all.h5:/y[:20]' -k all.h5 -v all.h5 --shard "$shard" "$@" -f -o "$name.h5"; }
part 1/3 1 && part 2/3 2 && part 3/3 3 && part 2/2 half
refused 1.h5 3.h5
tmerge --list-missing 3.h5
refused 1.h5 2.h5 2.h5 3.h5
refused 1.h5 half.h5
part 2/3 2 --scale 2 && refused 1.h5 2.h5 3.h5
part 2/3 2 --emit lse && refused 2.h5 1.h5 3.h5
part 2/3 2 --dtype f64 && refused 1.h5 2.h5 3.h5
attend -q 'all.h5:/y[:20]' -k all.h5 -v 'all.h5[::-1]' --shard 2/3 -f -o 2.h5 && refused 1.h5 2.h5 3.h5
attend -q 'all.h5:/y[:21]' -k all.h5 -v all.h5 --shard 2/3 -f -o 2.h5 && refused 1.h5 2.h5 3.h5
# Other queries, masks, lengths and biases of the same shape.
attend -q 'all.h5:/y[1:21]' -k all.h5 -v all.h5 --shard 2/3 -f -o 2.h5 && refused 1.h5 2.h5 3.h5
tconv 'all.h5[:20,0]' --reshape 20,1 -f -o rows.h5
tconv 'all.h5[1:21,0]' --reshape 20,1 -f -o others.h5
tconv --concat 1 $(yes rows.h5 | head -n 120) -f -o bias.h5
tconv --concat 1 $(yes others.h5 | head -n 120) -f -o other-bias.h5
part 2/3 2 --bias bias.h5 && refused 1.h5 2.h5 3.h5
part 1/3 1 --bias other-bias.h5 && refused 1.h5 2.h5
tconv "$(seq -s , 20 | sed 's/^/20xi64=/')" -O npy -f -o lens.npy
part 2/3 2 --valid-lens lens.npy && part 1/3 1 --valid-lens 'lens.npy[::-1]' && refused 1.h5 2.h5
part 2/3 2 --mask "$(seq -s , 120 | sed 's/^/1x120xf32=/')" && part 1/3 1 --mask 1x120xu8=1 && refused 1.h5 2.h5
part 1/3 1
attend -q 'all.h5:/y[:20]' -k all.h5 -v all.h5 --shard 2/3 --emit state -f -o 2.h5 && refused 1.h5 2.h5 3.h5
refused 1.h5 --emit lse
part 1/3 1 -O npy || echo $?
part 1/3 1 --explain 0 || echo $?
part 1/30 1 && tconv --list 1.h5 | grep '^y '

# A lost checksum, another axis of rows, another engine, and the input, of which a part has some rows.
next() { LC_ALL=C grep -abo "$1" 1.h5 | awk -F : -v after="$2" '$1 > after { print $1; exit }'; }
spoil() { printf x | dd of=1.h5 bs=1 seek="$1" conv=notrunc 2>/dev/null; }
part 2/3 2 && part 3/3 3
checksum=$(part 1/3 1 && next checksum 0)
spoil "$checksum" && refused 1.h5 2.h5 3.h5
part 1/3 1 && spoil "$(next rows "$checksum")" && refused 1.h5 2.h5 3.h5
part 1/3 1 --engine reference && refused 1.h5 2.h5 3.h5
attend all.h5 --keep-input --shard 1/3 -o kept.h5 || echo $?
