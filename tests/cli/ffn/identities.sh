# The network is its two linear maps; a gate multiplies; hidden is what the second map sees.
L=$FIXTURES/layers/layers.h5
for activation in relu gelu gelu-tanh silu tanh sigmoid none \
  quick-gelu gelu-fast gelu-10 relu2 relu6 leaky-relu mish hardswish laplace; do
  ffn $L:/x -w $L:/ffn --activation $activation --emit hidden -f -o a.h5
  linear $L:/x -w $L:/ffn/linear1 --activation $activation -f -o hidden.h5
  tdiff a.h5:/hidden hidden.h5:/y
  linear hidden.h5 -w $L:/ffn/linear2 | tdiff - a.h5:/y
done
ffn $L:/x -w $L:/ffn -o b.h5
ffn $L:/x -w $L:/ffn --activation relu | tdiff - b.h5
# With the identity as activation and a gate of ones (zero weights would need a bias), the gate is a factor.
ffn $L:/x -w $L:/gated --activation none --emit hidden -o c.h5
linear $L:/x -w $L:/gated/wi_0 -o gate.h5
linear $L:/x -w $L:/gated/wi_1 -o up.h5
for i in 0 5; do
  g=$(tconv gate.h5:/y[1,$i,3:4] -O csv | tail -n 1)
  u=$(tconv up.h5:/y[1,$i,3:4] -O csv | tail -n 1)
  linear 1=$g -w 1x1=$u | tdiff - c.h5:/hidden[1,$i,3:4]
done
