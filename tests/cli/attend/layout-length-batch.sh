# In (L, B, H, d), packed (L, B, H * d) and (L, B, d) the result has the order of the queries; weights stay (B, H, L, S).
. "$TESTDIR/qkv"
L="--layout length-batch"
for name in q k v; do tconv "$X:/$name" --axes 2,0,1,3 -o t.h5:/$name -A; done
attend -q "$X:/q" -k "$X:/k" -v "$X:/v" --causal --emit weights,lse -o whole.h5
tconv whole.h5:/y --axes 2,0,1,3 -o expected.h5
attend t.h5 $L --causal --emit weights,lse -o y.h5
tdiff y.h5:/y expected.h5 --strict
for name in weights lse; do tdiff y.h5:/$name whole.h5:/$name --strict; done
attend t.h5 $L --causal --engine reference | tdiff - expected.h5 --rtol 1e-12 --atol 1e-12
attend t.h5 $L --causal --max-memory 20k | tdiff - expected.h5 --strict
attend t.h5 $L --check-grad 2 | wc -l
for i in 1 2; do
  attend t.h5 $L --causal --shard $i/2 -o part-$i.h5
  attend t.h5 $L --causal --emit state --shard $i/2 -o state-$i.h5
done
tmerge part-1.h5 part-2.h5 | tdiff - expected.h5
tmerge state-1.h5 state-2.h5 | tdiff - expected.h5

# Packed heads, and one head.
tconv t.h5:/q --reshape 6,2,32 -o p.h5:/q
tconv t.h5:/k --reshape 9,2,16 -A -o p.h5:/k
tconv t.h5:/v --reshape 9,2,10 -A -o p.h5:/v
attend p.h5 $L --heads 4 --kv-heads 2 --causal | tconv - --reshape 6,2,4,5 | tdiff - expected.h5 --strict
for name in q k v; do tconv "t.h5:/$name[:,:,0]" -o one.h5:/$name -A; done
attend one.h5 $L --causal | tdiff - 'expected.h5[:,:,0]' --strict
