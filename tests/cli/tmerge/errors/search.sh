# Parts of a search that are missing, that overlap, or that belong to another search are refused by name.
. "$SUPPORT/try.sh"
posenc --length 14000 --dim 6 --base 50 --dtype f32 -O npy -o all.npy
tconv 'all.npy[3:8]' -O npy -o q.npy
tconv --concat 0 'all.npy[:9000]' 'all.npy[:9000]' 2x6xf32=nan,0,0,0,0,0,0,0,0,0,0,nan --dtype f64 -O npy -o k.npy
part() { # NAME I/N OPTION...
  name=$1 shard=$2
  shift 2
  attend -q q.npy -k k.npy --shard "$shard" --emit state,topk=6 "$@" -f -o "$name.h5"
}
merge() { tmerge "$@" -f -o y.h5; }

# Keys that no part has, or that two have.
part 1 1/3 && part 2 2/3 && part 3 3/3 && part half 2/2
try merge 1.h5 3.h5
try merge 1.h5 3.h5 --emit state
try tmerge --list-missing 1.h5
try merge 1.h5 2.h5 half.h5

# The second of three parts has other options or inputs.
other() { part 2 2/3 "$@" && merge 1.h5 2.h5 3.h5; }
try other --score dot
try other -q 'q.npy[1:]'
try other -k 'k.npy[1:]'
attend -q q.npy -k k.npy --shard 2/3 --emit state,topk=5 -f -o 2.h5
try merge 1.h5 2.h5 3.h5
attend -q q.npy -k k.npy -v k.npy --shard 2/3 --emit state -f -o 2.h5
try merge 1.h5 2.h5 3.h5

# A part that is damaged.
part 2 2/3
at=$(h5dump -pH -d /part/scores 2.h5 | sed -n 's/.*OFFSET \([0-9]*\).*/\1/p')
printf x | dd of=2.h5 bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
try merge 1.h5 2.h5 3.h5

# What attend cannot make a part of.
try part 2 2/3 --causal
try attend -q q.npy -k k.npy -v k.npy --shard 2/3 --emit state,topk=5 -f -o 2.h5
