# The tensors of a score as modules store them: nn.Linear(h, 1) has (1, h), a dense layer (h, 1), a convolution (h, d, 1)
# and nn.Bilinear (1, d, d); their gradients have the same shapes. A bias is refused by name.
. "$SUPPORT/try.sh"
tconv "$FIXTURES/layers/layers.h5" -o layers.h5
L=layers.h5
tconv $L:/wq -o wq.h5:/W_q/weight
tconv $L:/wv --reshape 1,3 -o wv.h5:/w_v/weight
tconv $L:/wv --reshape 3,1 -o dense.h5
tconv $L:/wq --reshape 3,2,1 -o conv.h5
tconv linspace=-1,1,8 --reshape 4,2 -o q.h5
tconv linspace=-2,3,10 --reshape 5,2 -o k.h5
A="attend -q q.h5 -k k.h5 -v 5=1,2,3,4,5 --score additive --wk $L:/wk"
$A --wq $L:/wq --wv $L:/wv -o y.h5
$A --wq wq.h5:/W_q --wv wv.h5:/w_v | tdiff - y.h5 --strict
$A --wq conv.h5 --wv dense.h5 | tdiff - y.h5 --strict
$A --wq conv.h5 --wv wv.h5:/w_v --vjp y.h5 | tconv --list | grep '^d'
attend -q q.h5 -k k.h5 -v 5=1,2,3,4,5 --score bilinear --m $L:/m -o y2.h5
tconv $L:/m --reshape 1,2,2 -o m.h5:/weight
attend -q q.h5 -k k.h5 -v 5=1,2,3,4,5 --score bilinear --m m.h5 | tdiff - y2.h5 --strict

tconv 3xf64=1,2,3 -A -o wq.h5:/W_q/bias
try $A --wq wq.h5:/W_q --wv wv.h5:/w_v
$A --wq wq.h5:/W_q/weight --wv wv.h5:/w_v | tdiff - y.h5 --strict
tconv $L:/wq --transpose -o turned.h5
try $A --wq turned.h5 --wv wv.h5:/w_v
