# What is not given comes from INPUT: the queries beside -k, values where the keys are.
L=$FIXTURES/layers/layers.h5
mha $L:/x -k $L:/x -w $L:/self_attn --heads 4 -o a.h5
mha -q $L:/x -k $L:/x -v $L:/x -w $L:/self_attn --heads 4 -o b.h5
tdiff a.h5 b.h5
