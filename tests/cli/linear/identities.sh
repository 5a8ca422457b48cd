# The layout of W, the bias, the prefix and the activation.
L=$FIXTURES/layers/layers.h5
linear $L:/x -w $L:/ffn/linear1 -o a.h5
linear $L:/x -w $L:/ffn/linear1.weight -b $L:/ffn/linear1.bias | tdiff - a.h5
tconv $L:/ffn/linear1.weight --transpose -o w.h5
linear $L:/x -w w.h5 --transposed -b $L:/ffn/linear1.bias | tdiff - a.h5
linear $L:/x -w $L:/ffn/linear1 -b 12=0,0,0,0,0,0,0,0,0,0,0,0 -o b.h5
linear $L:/x -w w.h5 --transposed | tdiff - b.h5
linear 3=-1,0,2 -w 3x3=1,0,0,0,1,0,0,0,1 --activation relu -O csv
linear 3=-1,0,2 -w 3x3=1,0,0,0,1,0,0,0,1 --activation sigmoid --precision 4 -O csv
linear $L:/x -w $L:/ffn/linear1 --engine reference | tdiff - a.h5 --atol 1e-14
