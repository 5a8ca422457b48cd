# What can be written beside the result is what the stages write.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/self_attn --heads 4 --emit q,k,v,heads,keys,values,weights -o all.h5
mha --stage project $L:/x -w $L:/self_attn --heads 4 -o qkv.h5
attend qkv.h5 --emit weights -o heads.h5
for name in q k v; do tdiff all.h5:/$name qkv.h5:/$name; done
tdiff all.h5:/keys qkv.h5:/k
tdiff all.h5:/values qkv.h5:/v
tdiff all.h5:/heads heads.h5:/y
tdiff all.h5:/weights heads.h5:/weights
