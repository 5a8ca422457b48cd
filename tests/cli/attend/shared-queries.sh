# Queries of one batch serve every batch of keys, as keys serve every batch of queries: the same bits as repeated ones,
# also without a batch axis, packed, in blocks of rows, in shards and as a state; their gradient is the sum.
. "$TESTDIR/qkv"
for name in k v; do tconv "$X:/$name" --concat 0 "$X:/$name[:1]" -o $name.h5; done
tconv "$X:/q[:1]" -o q.h5
tconv --concat 0 q.h5 q.h5 q.h5 -o repeated.h5
same() { # -q OPERAND and options, against the repeated queries
  attend -q "$1" -k k.h5 -v v.h5 --causal --emit weights,lse -f -o y.h5
  tdiff y.h5 expected.h5 --strict
}
attend -q repeated.h5 -k k.h5 -v v.h5 --causal --emit weights,lse -o expected.h5
same q.h5
attend -q q.h5 -k k.h5 -v v.h5 --causal --engine reference | tdiff - expected.h5:/y --rtol 1e-12 --atol 1e-12
tconv expected.h5:/y -o dy.h5
attend -q repeated.h5 -k k.h5 -v v.h5 --vjp dy.h5 -o all.h5
attend -q q.h5 -k k.h5 -v v.h5 --vjp dy.h5 -o one.h5
for name in dk dv; do tdiff one.h5:/$name all.h5:/$name --strict; done
tconv all.h5:/dq --slab 0:1 -o 0.h5
for batch in 1 2; do tconv all.h5:/dq --slab $batch:$((batch + 1)) -o $batch.h5; done
addnorm --no-norm 0.h5 -r 1.h5 | addnorm --no-norm - -r 2.h5 | tdiff - one.h5:/dq

# Without a batch axis the result has one.
for name in k v; do tconv $name.h5 --slab :,0 -o ${name}3.h5; done
attend -q 'repeated.h5[:,0]' -k k3.h5 -v v3.h5 --emit weights -o three.h5
attend -q 'q.h5[0,0]' -k k3.h5 -v v3.h5 --emit weights | tdiff - three.h5 --strict
attend -q 'q.h5[0,0]' -k k3.h5 -v v3.h5 --explain 2,1 | tail -n 1
tconv 'three.h5:/y[2,1]' -O csv --no-header --precision 6 | paste -s -d ' ' -
attend -q 'q.h5[0,0]' -k k3.h5 -v v3.h5 --emit state -o s.h5
tmerge s.h5 | tdiff - three.h5:/y
for i in 1 2; do attend -q 'q.h5[0,0]' -k k3.h5 -v v3.h5 --shard $i/2 -o part-$i.h5; done
tmerge part-1.h5 part-2.h5 | tdiff - three.h5:/y
tconv linspace=-1,1,640000 --reshape 80000,8 -o many.h5
attend -q many.h5 -k k3.h5 -v v3.h5 -o rows.h5
attend -q many.h5 -k 'k3.h5[1]' -v 'v3.h5[1]' | tdiff - 'rows.h5[1]' --strict

# Two numbers of batches that are not 1 are refused, whichever has them, and more than four axes.
. "$SUPPORT/try.sh"
try attend -q 2x1x4=1 -k 3x2x4=1 -v 3x2x4=1
try attend -q 1x1x4=1 -k 3x2x4=1 -v 2x2x4=1
try attend -q 2x3x1x1x4=1 -k 2x3x1x2x4=1 -v 2x3x1x2x4=1
