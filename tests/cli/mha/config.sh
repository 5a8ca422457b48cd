# The number of heads comes from the config.json beside the weights, and an option overrides it.
L=$FIXTURES/layers/layers.h5
mkdir model
tconv $L -o model/weights.h5
echo '{"num_attention_heads": 2, "rope_theta": 100}' >model/config.json
mha $L:/x -w model/weights.h5:/self_attn -o a.h5
mha $L:/x -w $L:/self_attn --heads 2 --rotary --base 100 -o b.h5
tdiff a.h5 b.h5
mha $L:/x -w model/weights.h5:/self_attn --heads 4 -o c.h5
mha $L:/x -w $L:/self_attn --heads 4 --rotary --base 100 -o d.h5
tdiff c.h5 d.h5
