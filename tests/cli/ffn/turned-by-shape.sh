# nanoGPT has the names of GPT-2 and stores (out, in), as nn.Linear does: the shapes show it, with biases and without.
L=$FIXTURES/layers/layers.h5
tconv $L:/ffn/linear1.weight -o n.h5:/c_fc/weight
tconv $L:/ffn/linear2.weight -A -o n.h5:/c_proj/weight
tconv $L:/ffn/linear1.weight --transpose -o g.h5:/c_fc/weight
tconv $L:/ffn/linear2.weight --transpose -A -o g.h5:/c_proj/weight
ffn $L:/x -w n.h5 -o y.h5
ffn $L:/x -w g.h5 | tdiff - y.h5
for file in n.h5 g.h5; do
  tconv $L:/ffn/linear1.bias -A -o $file:/c_fc/bias
  tconv $L:/ffn/linear2.bias -A -o $file:/c_proj/bias
done
ffn $L:/x -w $L:/ffn -o z.h5
for file in n.h5 g.h5; do ffn $L:/x -w $file | tdiff - z.h5; done
# A layout that is given is not questioned.
ffn $L:/x -w n.h5 --transposed 2>&1 | sed 's/.*; //'
