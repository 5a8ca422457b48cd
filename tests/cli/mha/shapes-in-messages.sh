# Messages name the shapes that the files have, and which of query and key is meant.
. "$SUPPORT/try.sh"
cp $FIXTURES/layers/layers.h5 .
L=layers.h5
tconv linspace=0,1,80 --reshape 10,8 -o wide.h5:/q_proj_weight
tconv linspace=0,1,64 --reshape 8,8 -A -o wide.h5:/k_proj_weight
tconv linspace=0,1,64 --reshape 8,8 -A -o wide.h5:/v_proj_weight
tconv linspace=0,1,64 --reshape 8,8 -A -o wide.h5:/out_proj.weight
try mha $L:/x -w wide.h5 --heads 2 -o y.h5
tconv linspace=0,1,60 --reshape 2,5,6 -o bias.h5
try mha $L:/x -w $L:/self_attn --heads 2 --bias bias.h5 -o y.h5
tconv linspace=0,1,12 --reshape 4,3 -o t5.h5
try mha $L:/x -w $L:/self_attn --heads 2 --t5-bias t5.h5 -o y.h5
tconv linspace=0,1,60 --reshape 1,2,6,5 -o heads.h5
try mha --stage merge heads.h5 -w $L:/self_attn -o y.h5
tconv linspace=0,1,24 --reshape 6,4 -o narrow.h5
try mha narrow.h5 -w $L:/self_attn --heads 2 -o y.h5
try mha narrow.h5:/y[0] -w $L:/self_attn --heads 2 -o y.h5
