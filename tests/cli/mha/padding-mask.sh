# A padding mask is a boolean mask over the keys, also beside another mask, and --mask-invert turns it round.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/self_attn --heads 4 --padding-mask $L:/padding_mask --emit weights -o a.h5
mha $L:/x -w $L:/self_attn --heads 4 --mask $L:/padding_bhls --emit weights -o b.h5
tdiff a.h5 b.h5
mha $L:/x -w $L:/self_attn --heads 4 --padding-mask $L:/padding_mask --mask $L:/lower -o c.h5
mha $L:/x -w $L:/self_attn --heads 4 --valid-lens $L:/lens --causal -o d.h5
tdiff c.h5 d.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 1x6xbool=0,0,0,0,1,1 --mask-invert -o e.h5
tdiff e.h5 a.h5:/y[1:]
# Beside a mask that is added, the padding mask alone is turned round.
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask 6xbool=0,0,0,0,1,1 --mask-invert --mask $L:/bias -o f.h5
mha $L:/x[1:] -w $L:/self_attn --heads 4 --padding-mask $L:/padding_mask[1:] --mask $L:/bias -o g.h5
tdiff f.h5 g.h5
