# Weights stored as (in, out): the error names --transposed, and with it the network is that of the usual layout.
tconv linspace=-1,1,12 --reshape 4,3 -o w1.h5:/linear1.weight
tconv linspace=-2,1,12 --reshape 3,4 -o w2.h5:/linear2.weight
tconv 4=1,2,3,4 -o b1.h5:/linear1.bias
tconv w1.h5 w2.h5 b1.h5 -o usual.h5
tconv w1.h5 --transpose -o v1.h5
tconv w2.h5 --transpose -o v2.h5
tconv v1.h5 v2.h5 -o turned.h5
tconv v1.h5 v2.h5 b1.h5 -o with_bias.h5
tconv linspace=-3,3,6 --reshape 2,3 -o x.h5
ffn x.h5 -w turned.h5 || echo "exit code $?"
ffn x.h5 -w with_bias.h5 || echo "exit code $?"
ffn x.h5 -w usual.h5 -o y.h5
ffn x.h5 -w with_bias.h5 --transposed --check y.h5 -o z.h5
