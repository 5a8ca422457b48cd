# The average of the weights over the heads.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/self_attn --heads 4 --emit weights -o a.h5
mha $L:/x -w $L:/self_attn --heads 4 --emit weights --average -o b.h5
tconv a.h5:/weights --axes 0,2,3,1 | linear -w 1x4=0.25,0.25,0.25,0.25 | tconv --reshape 2,6,6 -o mean.h5
tdiff b.h5:/weights mean.h5 --rtol 1e-15 --atol 1e-17
