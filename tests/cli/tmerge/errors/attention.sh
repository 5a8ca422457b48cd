# Parts that are missing, that overlap, or that belong to another attention are refused by name.
. "$SUPPORT/try.sh"
posenc --length 20000 --dim 4 --dtype f32 -o k.h5
posenc --length 3 --dim 4 --dtype f32 -o q.h5
part() { # NAME I/N OPTION...
  name=$1 shard=$2
  shift 2
  attend -q q.h5 -k k.h5 -v k.h5 --shard "$shard" --emit state "$@" -f -o "$name.h5"
}
merge() { tmerge "$@" -f -o y.h5; }

# Keys that no part has, or that two have.
part 1 1/3 && part 2 2/3 && part 3 3/3 && part half 2/2
try merge
try merge 3.h5
try merge 1.h5 3.h5
try merge 1.h5 3.h5 --emit state
try merge 1.h5 2.h5
try merge 1.h5 2.h5 2.h5 3.h5
try merge 1.h5 2.h5 half.h5
try tmerge --list-missing 1.h5 3.h5
try tmerge --list-missing 1.h5 2.h5 3.h5
part quarter 1/4
try tmerge --list-missing quarter.h5 half.h5
try tmerge --list-missing 2.h5 half.h5 quarter.h5
part half 5/5
try tmerge --list-missing 2.h5 half.h5

# The second of three parts has other options or inputs.
tconv q.h5 --dtype f64 -o wide.h5
tconv k.h5 --dtype f16 -o k16.h5
tconv 'k.h5[:19999]' -o shorter.h5
other() { part 2 2/3 "$@" && merge 1.h5 2.h5 3.h5; }
try other --scale 2
try other --causal
try other --empty nan
try other -q wide.h5
try other -q 'k.h5[1:4]'
try other -k shorter.h5 -v shorter.h5
try other -v k16.h5
try other -v 'k.h5[:,:3]'
# Keys are cut by --shard, not by slabs.
attend -q q.h5 -k 'k.h5[:8192]' -v 'k.h5[:8192]' --emit state -f -o a.h5
attend -q q.h5 -k 'k.h5[8192:]' -v 'k.h5[8192:]' --emit state -f -o b.h5
try merge a.h5 b.h5

# A part that is damaged, in its numbers and in its head; that a development version wrote; that is cut short; that is
# none.
part 2 2/3
at=$(h5dump -pH -d /part/output 2.h5 | sed -n 's/.*OFFSET \([0-9]*\).*/\1/p')
printf x | dd of=2.h5 bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
try merge 1.h5 2.h5 3.h5
part 2 2/3
LC_ALL=C sed -i 's/--scale=0.5/--scale=0.7/' 2.h5
try merge 1.h5 2.h5 3.h5
part 2 2/3
LC_ALL=C sed -i 's/part 2/rows 1/; s/part/rows/g' 2.h5
try merge 1.h5 2.h5 3.h5
head -c 3000 1.h5 >2.h5
try merge 1.h5 2.h5 3.h5 | cut -d: -f1-2
try merge k.h5

# What attend cannot make a part of.
for shard in 0/3 4/3 3 a/b 1/ 1/3/4; do try part x $shard; done
try part x 1/1 --normalize hard
try part x 1/1 --dtype f32
try part x 1/1 -O npy
try attend -q q.h5 -k k.h5 -v k.h5 --emit state,lse -o x.h5

# One number is a key too.
attend -q 1.5 -k 5 -v 7 --emit state -o number.h5
try tmerge number.h5 -O csv
