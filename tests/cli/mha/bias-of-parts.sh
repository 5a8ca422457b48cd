# q_bias and v_bias beside qkv, as in BEiT, are the biases of its parts; keys have none.
L=$FIXTURES/layers/layers.h5
tconv "$L:/self_attn/in_proj_bias[:8]" -o q.h5:/q_bias
tconv "$L:/self_attn/in_proj_bias[16:]" -o v.h5:/v_bias
tconv $L:/self_attn/in_proj_weight -o w.h5:/qkv/weight
tconv $L:/self_attn/out_proj.weight -o o.h5:/proj/weight
tconv w.h5 o.h5 q.h5 v.h5 -o beit.h5
tconv --concat 0 q.h5 8xf64=0 v.h5 -o b.h5:/qkv/bias
tconv w.h5 o.h5 b.h5 -o whole.h5
mha $L:/x -w whole.h5 --heads 4 -o y.h5
mha $L:/x -w beit.h5 --heads 4 | tdiff - y.h5 --strict
mha $L:/x -w whole.h5 --heads 4 --vjp y.h5 -o d.h5
mha $L:/x -w beit.h5 --heads 4 --vjp y.h5 -o e.h5
tdiff e.h5:/d/q_bias 'd.h5:/d/qkv/bias[:8]' --strict
tdiff e.h5:/d/v_bias 'd.h5:/d/qkv/bias[16:]' --strict
tdiff e.h5:/d/qkv/weight d.h5:/d/qkv/weight --strict
