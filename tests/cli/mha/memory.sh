# Memory is keys and values; keys and values may come from elsewhere each.
L=$FIXTURES/layers/layers.h5
mha $L:/x --memory $L:/memory -w $L:/self_attn --heads 4 -o a.h5
mha -q $L:/x -k $L:/memory -v $L:/memory -w $L:/self_attn --heads 4 -o b.h5
mha -q $L:/x --memory $L:/memory -w $L:/self_attn --heads 4 -o c.h5
tdiff a.h5 b.h5
tdiff a.h5 c.h5
mha $L:/x -w $L:/self_attn --heads 4 -o self.h5
mha -q $L:/x -k $L:/x -v $L:/x -w $L:/self_attn --heads 4 -o d.h5
tdiff self.h5 d.h5
mha $L:/x[:1] -v $L:/x[1:] -w $L:/self_attn --heads 4 -o e.h5
if tdiff e.h5 self.h5:/y[:1] >/dev/null; then echo "-v is ignored"; fi
mha $L:/x[:1] -k $L:/x[1:] -v $L:/x[:1] -w $L:/self_attn --heads 4 -o f.h5
if tdiff f.h5 self.h5:/y[:1] >/dev/null; then echo "-k is ignored"; fi
