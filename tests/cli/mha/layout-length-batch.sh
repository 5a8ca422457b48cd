# --layout length-batch reads and writes (L, B, d) as nn.MultiheadAttention does: the bits of (B, L, d), in stages too.
L=$FIXTURES/layers/layers.h5
for name in x memory; do tconv $L:/$name --axes 1,0,2 -o t.h5:/$name -A; done
mha() { command mha -w $L:/self_attn --heads 4 "$@"; }
mha $L:/x --causal --padding-mask $L:/padding_mask --emit weights -o y.h5
tconv y.h5:/y --axes 1,0,2 -o expected.h5
mha t.h5:/x --causal --padding-mask $L:/padding_mask --layout length-batch --emit weights -o z.h5
tdiff z.h5:/y expected.h5 --strict
tdiff z.h5:/weights y.h5:/weights --strict
mha $L:/x --memory $L:/memory | tconv - --axes 1,0,2 -o m.h5
mha t.h5:/x --memory t.h5:/memory --layout length-batch | tdiff - m.h5 --strict
mha --stage project t.h5:/x --layout length-batch | attend --causal | mha --stage merge --layout length-batch -o merged.h5
mha t.h5:/x --causal --layout length-batch | tdiff - merged.h5 --strict
mha 't.h5:/x[:,0]' --layout length-batch -o one.h5
mha "$L:/x[0]" | tdiff - one.h5 --strict

# Gradients have the order of their tensors.
mha $L:/x --memory $L:/memory --vjp y.h5:/y -o d.h5
mha t.h5:/x --memory t.h5:/memory --layout length-batch --vjp expected.h5 -o e.h5
for name in dx dmemory; do tconv d.h5:/$name --axes 1,0,2 | tdiff - e.h5:/$name --strict; done
tdiff d.h5:/d e.h5:/d --strict
mha --stage attend t.h5:/x --layout length-batch 2>&1 || echo $?
