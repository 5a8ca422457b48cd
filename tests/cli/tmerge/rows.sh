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
posenc --length 200000 --dim 64 --dtype f32 -O npy -o q.npy
large() {
  attend -q "$1" -k all.h5:/y[:8] -v all.h5:/y[:8] --score additive --wq 1x64=1 --wk 1x8=1 --wv 1=1 \
    --shard "$2" --max-memory 80M -t 1 -f -o "$3"
}
attend -q q.npy -k all.h5:/y[:8] -v all.h5:/y[:8] --score additive --wq 1x64=1 --wk 1x8=1 --wv 1=1 --shard 3/200 -n | head -n 1
tconv q.npy --compress lzf -f -o q.h5
large q.npy 1/200 1.h5
large q.h5 2/200 2.h5
tmerge --list-missing 1.h5 2.h5 | wc -l
printf x | dd of=q.npy bs=1 seek=50000000 conv=notrunc 2>/dev/null
large q.npy 2/200 2.h5
tmerge 1.h5 2.h5 -f -o y.h5 2>message || echo $?
cut -d ' ' -f 1-6 message
