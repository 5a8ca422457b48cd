# What goes in without a batch axis comes out without one: the result and everything beside it, also as a past.
L=$FIXTURES/layers/layers.h5
mha $L:/x[:1] -w $L:/self_attn --heads 4 --emit q,k,v,heads,keys,values,weights -o batch.h5
mha $L:/x[0] -w $L:/self_attn --heads 4 --emit q,k,v,heads,keys,values,weights -o one.h5
for name in y q k v heads keys values weights; do tdiff one.h5:/$name batch.h5:/$name[0]; done
mha $L:/x[:1] -w $L:/self_attn --heads 4 --emit weights --average -o batch-average.h5
mha $L:/x[0] -w $L:/self_attn --heads 4 --emit weights --average -o average.h5
tdiff average.h5:/weights batch-average.h5:/weights[0]
mha $L:/x[0] -w $L:/self_attn --heads 4 --causal -o whole.h5
mha $L:/x[0,:3] -w $L:/self_attn --heads 4 --causal --emit keys,values -o past.h5
mha $L:/x[0,3:] -w $L:/self_attn --heads 4 --causal --past-key past.h5 --past-value past.h5 -o last.h5
tdiff last.h5:/y whole.h5:/y[3:]
