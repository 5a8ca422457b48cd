# Queries of one batch, with or without its axis, serve every batch of the memory, such as the object queries of DETR.
L=$FIXTURES/layers/layers.h5
mha() { command mha -w $L:/self_attn --heads 4 "$@"; }
tconv "$L:/x[:1]" -o one.h5
tconv --concat 0 one.h5 one.h5 -o both.h5
mha both.h5 --memory $L:/memory --emit weights -o y.h5
mha one.h5 --memory $L:/memory --emit weights | tdiff - y.h5 --strict
mha 'one.h5[0]' --memory $L:/memory --emit weights | tdiff - y.h5 --strict
mha --stage project 'one.h5[0]' --memory $L:/memory | attend | mha --stage merge | tdiff - y.h5:/y --strict
mha both.h5 --memory $L:/memory --vjp y.h5:/y -o all.h5
mha 'one.h5[0]' --memory $L:/memory --vjp y.h5:/y -o d.h5
tdiff d.h5:/dmemory all.h5:/dmemory --strict
addnorm --no-norm 'all.h5:/dx[0]' -r 'all.h5:/dx[1]' | tdiff - d.h5:/dx --atol 1e-12
tdiff d.h5:/d all.h5:/d --atol 1e-12
# More axes than (B, L, d) are joined by hand.
mha 2x3x6x8=1 2>&1 || echo $?
