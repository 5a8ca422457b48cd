# Parts that are damaged are noted, and their shards are listed as missing.
posenc --length 20000 --dim 4 --dtype f32 -o k.h5
posenc --length 30 --dim 4 --dtype f32 -o q.h5
spoil() { # one element of dataset $2 of file $1
  at=$(h5dump -pH -d "$2" "$1" | sed -n 's/.*OFFSET \([0-9]*\).*/\1/p')
  printf '\1' | dd of="$1" bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
}
for i in 1 2 3 4; do
  attend -q q.h5 -k k.h5 -v k.h5 --shard $i/4 --emit state -o state-$i.h5
  attend -q q.h5 -k k.h5 --shard $i/4 --emit state,topk=2 -o search-$i.h5
  attend -q q.h5 -k k.h5 -v k.h5 --shard $i/4 -o rows-$i.h5
done
cp state-4.h5 whole.h5
spoil state-2.h5 /part/output
LC_ALL=C sed -i 's/--scale=0.5/--scale=0.7/' state-3.h5
head -c 3000 state-4.h5 >cut && mv cut state-4.h5
tmerge --list-missing state-?.h5
mv whole.h5 state-4.h5
tmerge --list-missing state-?.h5
tmerge --list-missing state-1.h5 state-9.h5
spoil search-1.h5 /part/scores
: >search-2.h5
tmerge --list-missing search-?.h5
head -c 3000 rows-1.h5 >cut && mv cut rows-1.h5
LC_ALL=C sed -i 's/--scale=0.5/--scale=0.7/' rows-3.h5
spoil rows-4.h5 /y
tmerge --list-missing rows-?.h5
# The listed shards complete the parts.
rm rows-1.h5 rows-3.h5 rows-4.h5
for shard in $(tmerge --list-missing rows-?.h5); do
  attend -q q.h5 -k k.h5 -v k.h5 --shard "$shard" -o "rows-${shard%/*}.h5"
done
tmerge rows-?.h5 -o y.h5
attend -q q.h5 -k k.h5 -v k.h5 | tdiff - y.h5 --ulp 0
spoil rows-2.h5 /y
tmerge rows-?.h5 -f -o y.h5 || echo $?
# Nothing is known if no part is whole.
tmerge --list-missing search-[12].h5 || echo $?
tmerge --list-missing nothing.h5 || echo $?
