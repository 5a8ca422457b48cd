# An operand that nothing would be read from is a mistake, not silence.
cp $FIXTURES/layers/layers.h5 .
L=layers.h5
mha $L:/x -q $L:/x -w $L:/self_attn --heads 4 || echo "exit $?"
mha $L:/x --memory $L:/x -k $L:/x -w $L:/self_attn --heads 4 || echo "exit $?"
mha $L:/x --stage merge -v $L:/x -w $L:/self_attn --heads 4 || echo "exit $?"
mha $L:/x --stage attend --memory $L:/x -w $L:/self_attn --heads 4 || echo "exit $?"
# What is not given comes from INPUT: the queries beside -k, values where the keys are.
mha $L:/x -k $L:/x -w $L:/self_attn --heads 4 -o a.h5
mha -q $L:/x -k $L:/x -v $L:/x -w $L:/self_attn --heads 4 -o b.h5
tdiff a.h5 b.h5
