# The gradients of a batch in shards add up to the bits of one run, and a step with them is the first update of a
# training.
. "$TESTDIR/../transformer-train/shared.shlib"
small_model
transformer-train -m start --init --data lines --after 1u --lr 0 --quiet -o base
part() { shard=$1 name=$2; shift 2; transformer-train -m base --data lines --shard "$shard" --emit gradients "$@" -o "$name.h5"; }
check() {
  for n in 1 2 3 7 9; do
    rm -f part-*.h5
    for i in $(seq "$n"); do part "$i/$n" "part-$i" --dropout 0.1 -t "$((i % 2 + 1))"; done
    tmerge $(ls part-*.h5 | sort -R) --no-history -f -o "all-$n.h5"
    cmp all-1.h5 "all-$n.h5"
  done
  rm -rf state.h5 trained
  optimize -w base/model.safetensors -g all-7.h5:/d --state state.h5 --lr 0.01 --clip-norm 0.1 -f -o step.safetensors
  transformer-train -m base --data lines --dropout 0.1 --batch 100 --after 1u --lr 0.01 --clip-norm 0.1 --quiet \
    -o trained
  tdiff step.safetensors trained/model.safetensors --ulp 0 --quiet
  [ "$(tconv all-7.h5:/loss -O csv | tail -n 1)" = "$(tail -n 1 trained/log.csv | cut -d , -f 3)" ]
}
check
tconv --list all-7.h5 | head -n 2
tconv base/model.safetensors --dtype f64 -f -o base/model.safetensors
check
rm -f part-*.h5
for i in 1 2; do part "$i/2" "part-$i" --train '*.norm.*'; done
tmerge part-*.h5 -f -o some.h5
tconv --list some.h5 | grep -c d/

refused() { code=0; "$@" || code=$?; echo "$code"; }
part 1/3 1 && part 2/3 2 && part 3/3 3 && part 2/2 half
refused tmerge 1.h5 3.h5 -o x.h5
tmerge --list-missing 1.h5
refused tmerge 1.h5 2.h5 half.h5 -o x.h5
rm 2.h5 && part 2/3 2 --seed 1 && refused tmerge 1.h5 2.h5 3.h5 -o x.h5
rm 2.h5 && part 2/3 2 --label-smoothing 0.1 && refused tmerge 1.h5 2.h5 3.h5 -o x.h5
rm 2.h5 && part 2/3 2 --data data.tsv && refused tmerge 1.h5 2.h5 3.h5 -o x.h5 2>message
cut -d ' ' -f 1-7 message
rm 2.h5 && transformer-train -m trained --data lines --shard 2/3 --emit gradients -o 2.h5
refused tmerge 1.h5 2.h5 3.h5 -o x.h5 2>message
cut -d ' ' -f 1-7 message
rm 2.h5 && part 2/3 2
refused part 2/3 2
part 2/3 2 -f
at=$(h5dump -pH -d /part/loss 2.h5 | sed -n 's/.*OFFSET \([0-9]*\).*/\1/p')
printf x | dd of=2.h5 bs=1 seek=$((at + 6)) conv=notrunc 2>/dev/null
refused tmerge 1.h5 2.h5 3.h5 -o x.h5
refused tmerge 1.h5 -k 1.h5 -v 1.h5 -o x.h5
part 1/3 x --lr 0.01 --batch 2
tdiff x.h5:/part/loss 1.h5:/part/loss --ulp 0
rm x.h5
refused part 1/3 x --valid lines
refused part 4/3 x
refused transformer-train -m base --data lines --shard 1/3 -o x.h5
refused transformer-train -m base --data lines -f -o trained
cp lines mine.h5
refused part 1/1 mine --data mine.h5 -f
cp 1.h5 base
refused part 1/1 base/1 -f
rm base/1.h5
refused transformer-train -m base --data lines --emit gradients -o g.csv
refused transformer-train -m base --data lines --emit gradients -o g.h5:/x
part 1/3 x --progress 2>&1 | grep -c '100 % of 2'
rm x.h5
part 1/3 x -n >plan && grep -c compute plan
[ ! -e x.h5 ]
