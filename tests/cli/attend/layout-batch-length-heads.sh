# In (B, L, H, d) the result, the past and --emit keys have the order of the queries; weights stay (B, H, L, S).
. "$TESTDIR/qkv"
L="--layout batch-length-heads"
for name in q k v; do tconv "$X:/$name" --axes 0,2,1,3 -o "t.h5:/$name" -A; done
attend -q "$X:/q" -k "$X:/k" -v "$X:/v" --causal --emit weights,scores,lse,topk=2 -o whole.h5
tconv whole.h5:/y --axes 0,2,1,3 -o expected.h5
attend t.h5 $L --causal --emit weights,scores,lse,topk=2 -o y.h5
tdiff y.h5:/y expected.h5 --strict
for name in weights scores lse topk topk-keys; do tdiff "y.h5:/$name" "whole.h5:/$name" --strict; done
attend t.h5 $L --causal --engine reference | tdiff - expected.h5 --rtol 1e-12 --atol 1e-12
attend t.h5 $L --causal --max-memory 20k | tdiff - expected.h5 --strict

# A past is (B, P, H_kv, d), and comes back with the keys as it was given.
attend -q t.h5:/q -k 't.h5:/k[:,4:]' -v 't.h5:/v[:,4:]' --past-key 't.h5:/k[:,:4]' --past-value 't.h5:/v[:,:4]' $L \
  --emit keys -o past.h5
attend t.h5 $L | tdiff - past.h5:/y --strict
tdiff past.h5:/keys t.h5:/k --strict

# Of one batch, (L, H, d).
attend -q 't.h5:/q[0]' -k 't.h5:/k[0]' -v 't.h5:/v[0]' $L --causal --emit weights -o one.h5
tdiff one.h5:/y 'expected.h5:/y[0]' --strict
tdiff one.h5:/weights 'whole.h5:/weights[0]' --strict
attend t.h5 $L --causal --emit weights,keys -n | grep ^write
attend 't.h5' --heads 4 --slab q=0 --slab k=0 --slab v=0 $L 2>&1 || echo $?
