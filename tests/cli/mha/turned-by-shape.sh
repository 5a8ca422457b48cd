# nanoGPT has the names of GPT-2 and stores (out, in), as nn.Linear does: the shapes show it, with biases and without.
L=$FIXTURES/layers/layers.h5
tconv $L:/self_attn/in_proj_weight -o n.h5:/c_attn/weight
tconv $L:/self_attn/out_proj.weight -A -o n.h5:/c_proj/weight
tconv $L:/self_attn/in_proj_weight --transpose -o g.h5:/c_attn/weight
tconv $L:/self_attn/out_proj.weight --transpose -A -o g.h5:/c_proj/weight
mha $L:/x -w n.h5 --heads 4 -o y.h5
mha $L:/x -w g.h5 --heads 4 | tdiff - y.h5
for file in n.h5 g.h5; do
  tconv $L:/self_attn/in_proj_bias -A -o $file:/c_attn/bias
  tconv $L:/self_attn/out_proj.bias -A -o $file:/c_proj/bias
done
mha $L:/x -w $L:/self_attn --heads 4 -o z.h5
for file in n.h5 g.h5; do mha $L:/x -w $file --heads 4 | tdiff - z.h5; done
mha $L:/x -w n.h5 --heads 4 --vjp $L:/x | tconv --list | grep '^d'
# Beside a config.json of GPT-2 too, for maps as well.
mkdir model
echo '{"model_type": "gpt2", "n_embd": 8, "n_head": 4, "n_layer": 1, "vocab_size": 9, "n_positions": 9}' >model/config.json
for map in c_attn c_proj; do
  for part in weight bias; do tconv n.h5:/$map/$part -A -o model/n.h5:/h/0/attn/$map/$part; done
done
mha $L:/x -w model/n.h5:/h/0/attn | tdiff - z.h5
linear $L:/x -w n.h5:/c_attn -o q.h5
linear $L:/x -w model/n.h5:/h/0/attn/c_attn | tdiff - q.h5
