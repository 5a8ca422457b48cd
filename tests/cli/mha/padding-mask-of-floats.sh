# A padding mask of floats is added to the scores; one of nothing but 0 and 1 has to say what it is.
cp $FIXTURES/layers/layers.h5 .
L=layers.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 1x6=0,0,0,0,-inf,-inf -o a.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 1x6xbool=1,1,1,1,0,0 -o b.h5
tdiff a.h5 b.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 1x6=1,1,1,1,0,0 --mask-type boolean -o c.h5
tdiff c.h5 b.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 1x6=0,0,0,0,-inf,-inf --mask $L:/lower -o d.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 1x6=1,1,1,1,0,0 -o e.h5
