# A damaged config.json beside the weights stops who asks it, and nobody who is told what it would say.
L=$FIXTURES/layers/layers.h5
mkdir model
cp "$L" model/w.h5
echo '{"hidden_act": ' >model/config.json
ffn $L:/x -w model/w.h5:/ffn --activation gelu -o a.h5
ffn $L:/x -w $L:/ffn --activation gelu -o b.h5
tdiff a.h5 b.h5
addnorm --no-residual $L:/x -w model/w.h5:/norm --kind layer --eps 1e-3 -f -o a.h5
addnorm --no-residual $L:/x -w $L:/norm --eps 1e-3 -f -o b.h5
tdiff a.h5 b.h5
embed $L:/ids -w model/w.h5:/table --scale 2 -f -o a.h5
embed $L:/ids -w $L:/table --scale 2 -f -o b.h5
tdiff a.h5 b.h5
ffn $L:/x -w model/w.h5:/ffn 2>&1 || echo $?
mha $L:/x -w $L:/self_attn --heads 4 --scale 0.5 --rotary --emit q,k,v,heads -f -o a.h5
tconv a.h5:/y -f -o b.h5
mha --stage attend a.h5 -w model/w.h5:/self_attn | mha --stage merge -w model/w.h5:/self_attn --kv-heads 4 -f -o c.h5
tdiff c.h5 b.h5
mha --stage attend a.h5 --t5-bias $L:/buckets --t5-max-distance 5 -w model/w.h5:/self_attn -f -o c.h5
mha --stage attend a.h5 --t5-bias $L:/buckets --t5-max-distance 5 | tdiff - c.h5
mha --stage attend a.h5 --t5-bias $L:/buckets -w model/w.h5:/self_attn 2>&1 || echo $?
mha $L:/x -w model/w.h5:/self_attn --heads 4 --scale 0.5 --rotary --base 100 2>&1 || echo $? # rope scaling too
mha --stage attend a.h5 -w model/w.h5:/xlnet 2>&1 || echo $? # clamp_len may be there
mha $L:/x -w model/w.h5:/self_attn --heads 4 --scale 0.5 2>&1 || echo $?
mha $L:/x -w model/w.h5:/self_attn --heads 4 2>&1 || echo $? # the scale and rotary base may be there
