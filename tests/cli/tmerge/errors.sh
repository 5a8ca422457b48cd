# Parts that are missing, that overlap, or that belong to another attention are refused by name.
posenc --length 20000 --dim 4 --dtype f32 -o k.h5
posenc --length 3 --dim 4 --dtype f32 -o q.h5
part() {
  name=$1 shard=$2
  shift 2
  attend -q q.h5 -k k.h5 -v k.h5 --shard "$shard" --emit state "$@" -f -o "$name.h5"
}
refused() { tmerge "$@" -f -o y.h5 || echo $?; }
part 1 1/3 && part 2 2/3 && part 3 3/3 && part half 2/2
refused 1.h5 3.h5
refused 1.h5 2.h5
refused 1.h5 2.h5 2.h5 3.h5
refused 1.h5 2.h5 half.h5
refused 1.h5 3.h5 --emit state
part 2 2/3 --scale 2
refused 1.h5 2.h5 3.h5
part 2 2/3 --causal
refused 1.h5 2.h5 3.h5
tconv q.h5 --dtype f64 -o wide.h5 && attend -q wide.h5 -k k.h5 -v k.h5 --shard 2/3 --emit state -f -o 2.h5
refused 1.h5 2.h5 3.h5
attend -q 'k.h5[1:4]' -k k.h5 -v k.h5 --shard 2/3 --emit state -f -o 2.h5
refused 1.h5 2.h5 3.h5
tconv 'k.h5[:19999]' -o k2.h5 && attend -q q.h5 -k k2.h5 -v k2.h5 --shard 2/3 --emit state -f -o 2.h5
refused 1.h5 2.h5 3.h5
part 2 2/3 --empty nan
refused 1.h5 2.h5 3.h5
tconv k.h5 --dtype f16 -o k16.h5 && attend -q q.h5 -k k.h5 -v k16.h5 --shard 2/3 --emit state -f -o 2.h5
refused 1.h5 2.h5 3.h5
attend -q q.h5 -k k.h5 -v 'k.h5[:,:3]' --shard 2/3 --emit state -f -o 2.h5
refused 1.h5 2.h5 3.h5
part 2 2/3
at=$(h5dump -pH -d /part/output 2.h5 | sed -n 's/.*OFFSET \([0-9]*\).*/\1/p')
printf x | dd of=2.h5 bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
refused 1.h5 2.h5 3.h5
refused 3.h5
part 2 2/3
LC_ALL=C sed -i 's/--scale=0.5/--scale=0.7/' 2.h5
refused 1.h5 2.h5 3.h5
part 2 2/3
LC_ALL=C sed -i 's/part 2/rows 1/; s/part/rows/g' 2.h5  # as development versions wrote parts
refused 1.h5 2.h5 3.h5
# Keys are cut by --shard, not by slabs.
attend -q q.h5 -k 'k.h5[:8192]' -v 'k.h5[:8192]' --emit state -f -o a.h5
attend -q q.h5 -k 'k.h5[8192:]' -v 'k.h5[8192:]' --emit state -f -o b.h5
refused a.h5 b.h5
head -c 3000 1.h5 >2.h5
refused 1.h5 2.h5 3.h5 2>message || cut -d: -f1-2 message
refused k.h5
refused
part 2 2/3
tmerge --list-missing 1.h5 3.h5
tmerge --list-missing 1.h5 2.h5 3.h5
part quarter 1/4
tmerge --list-missing quarter.h5 half.h5
tmerge --list-missing 2.h5 half.h5 quarter.h5 || echo $?
part half 5/5
tmerge --list-missing 2.h5 half.h5
for shard in 0/3 4/3 3 a/b 1/ 1/3/4; do part x "$shard" || echo $?; done
part x 1/1 --normalize hard || echo $?
part x 1/1 --dtype f32 || echo $?
attend -q q.h5 -k k.h5 -v k.h5 --emit state,lse -o x.h5 || echo $?
part x 1/1 -O npy || echo $?
# One number is a key too.
attend -q 1.5 -k 5 -v 7 --emit state -o number.h5 && tmerge number.h5 -O csv
