# Rotary: given cosines and sines are those of the table; packed heads, pairs, width, scaling and offset.
L=$FIXTURES/layers/layers.h5
mha --stage project $L:/x -w $L:/self_attn --heads 2 -o p.h5
posenc --kind rotary p.h5:/q -o a.h5
posenc --kind rotary --length 6 --dim 4 -o table.h5
posenc --kind rotary --cos table.h5:/y[0] --sin table.h5:/y[1] p.h5:/q -o b.h5
tdiff a.h5 b.h5
# The same, packed: (B, L, H * d).
tconv p.h5:/q --axes 0,2,1,3 | tconv --reshape 2,6,8 -o packed.h5
posenc --kind rotary --heads 2 packed.h5 | tconv --reshape 2,6,2,4 | tconv --axes 0,2,1,3 -o c.h5
tdiff a.h5 c.h5
# Half the speed at twice the distance is the same angle.
posenc --kind rotary p.h5:/q[:,:,3:4] --offset 3 | tdiff - a.h5:/y[:,:,3:4]
posenc --kind rotary p.h5:/q[:,:,3:4] --offset 6 --scaling 2 | tdiff - a.h5:/y[:,:,3:4]
# The listed positions choose the rows of a given table too.
posenc --kind rotary --positions $L:/positions p.h5:/q -o d.h5
posenc --kind rotary --positions $L:/positions --cos table.h5:/y[0] --sin table.h5:/y[1] p.h5:/q -o e.h5
tdiff d.h5 e.h5
if tdiff a.h5 d.h5 >/dev/null; then echo "--positions is ignored"; fi
# What lies behind the width stays; neighbours as pairs are halves with the coordinates in another order.
posenc --kind rotary --rotary-width 2 p.h5:/q -o f.h5
tdiff f.h5:/y[:,:,:,2:] p.h5:/q[:,:,:,2:]
posenc --kind rotary --rotary-interleaved p.h5:/q -o g.h5
tconv p.h5:/q[:,:,:,0] p.h5:/q[:,:,:,2] p.h5:/q[:,:,:,1] p.h5:/q[:,:,:,3] --stack 3 -o shuffled.h5
posenc --kind rotary shuffled.h5 -o h.h5
tdiff g.h5:/y[:,:,:,1] h.h5:/y[:,:,:,2]
tdiff g.h5:/y[:,:,:,2] h.h5:/y[:,:,:,1]
