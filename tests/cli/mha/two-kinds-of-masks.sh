# --mask-type speaks of the mask: a padding mask of the other kind beside it is what its dtype says.
L=$FIXTURES/layers/layers.h5
run() { mha $L:/x[1:] -w $L:/self_attn --heads 4 -f "$@"; }
run --padding-mask 1x6xi64=1,1,1,1,0,0 -o a.h5
run --padding-mask 1x6xf32=0,0,0,0,-inf,-inf --mask 6x6xi64=1 --mask-type boolean -o b.h5
run --padding-mask 1x6xi64=1,1,1,1,0,0 --mask 6x6xf32=0.5 --mask-type additive -o c.h5
run --padding-mask 1x6xf32=1,1,1,1,0,0 --mask 6x6xf32=1 --mask-type boolean -o d.h5
for x in b c d; do tdiff a.h5 $x.h5 --atol 1e-6; done
