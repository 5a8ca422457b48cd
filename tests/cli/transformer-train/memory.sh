# Memory holds neither the tokens of all lines nor what a large batch leaves for its gradients.
[ -x /usr/bin/time ] || exit 77
. "$TESTDIR/shared.shlib"
small_model
resident() { # FILE BATCH
  /usr/bin/time -f %M -o kilobytes transformer-train -m start --init --data "$1" --batch "$2" --after 1u --quiet -o out
  rm -r out
  cat kilobytes
}
awk '{ line[NR] = $0 } END { for (i = 0; i < 200000; ++i) print line[i % NR + 1] }' data.tsv >many.tsv
few=$(resident data.tsv 16)
for batch in 16 4096; do
  many=$(resident many.tsv $batch)
  [ "$many" -lt $((few + 25000)) ] || echo "batch $batch: $many KB, few lines $few KB"
done
