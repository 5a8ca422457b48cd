# Weights move, all others stay; the state counts the steps; the output may be the input; a resumed run has the bits of
# an uninterrupted one.
tconv 2x2xf64=1,2,3,4 -o w.h5:/layer/weight
tconv 2xi64=5,6 -A -o w.h5:/ids
tconv 2x2xf64=1,0,-1,0.5 -o d.h5:/d/layer/weight
optimize -w w.h5 -g d.h5:/d --optimizer sgd --lr 0.5 -o sgd.h5
tconv sgd.h5:/layer/weight -O csv --no-header
tconv sgd.h5:/ids -O csv --no-header
for step in 1 2 3; do optimize -w w.h5 -g d.h5:/d --state state.h5 -f -o w.h5; done
tconv state.h5:/step -O csv --no-header
tconv --list state.h5
tconv w.h5:/layer/weight --precision 4 -O csv --no-header
# A large norm is clipped, and f32 weights stay f32.
tconv 1xf32=1 -o small.h5:/w
tconv 1xf32=1e6 -o large.h5:/d/w
optimize -w small.h5 -g large.h5:/d --optimizer sgd --lr 1 --clip-norm 0.5 -O csv --no-header
