# -k and -v: were the parts computed with these keys and values? A copy of another type is not the file of the run.
posenc --length 9000 --dim 4 --dtype f32 -O npy -o k.npy
tconv 'k.npy[::-1]' -O npy -o v.npy
tconv k.npy -o k.h5
tconv k.npy --dtype f64 -O npy -o wide.npy
tconv --concat 0 'k.npy[:8999]' 1x4xf32=0,0,0,1 -O npy -o other.npy
checked() { tmerge "$@" -f -o y.h5 || echo $?; }
for i in 1 2 3; do
  attend -q 'k.npy[:5]' -k k.npy -v v.npy --heads 2 --shard $i/3 --emit state -o state-$i.h5
  attend -q 'k.npy[:5]' -k k.npy -v v.npy --heads 2 --shard $i/3 -o rows-$i.h5
done
for kind in state rows; do
  for key in k.npy k.h5 wide.npy; do checked $kind-?.h5 -k $key -v v.npy; done
  checked $kind-?.h5 -k other.npy -v v.npy
  checked $kind-?.h5 -k k.npy -v 'v.npy[:8000]'
  checked $kind-?.h5 -k k.npy
done
# One part saw other keys.
attend -q 'k.npy[:5]' -k other.npy -v v.npy --heads 2 --shard 3/3 --emit state -f -o state-3.h5
checked state-?.h5
checked state-?.h5 -k k.npy -v v.npy
attend -q 'k.npy[:5]' -k k.npy --shard 1/1 --emit state,topk=2 -o search.h5
checked search.h5 -k k.npy -v v.npy
