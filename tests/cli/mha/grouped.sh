# Grouped queries: two key-value heads for four heads, as attend has it between the stages.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/grouped --heads 4 --kv-heads 2 -o a.h5
mha --stage project $L:/x -w $L:/grouped --heads 4 --kv-heads 2 | attend |
  mha --stage merge -w $L:/grouped --heads 4 --kv-heads 2 -o b.h5
tdiff a.h5 b.h5
mha --stage project $L:/x -w $L:/grouped --heads 4 --kv-heads 2 | tconv --list | grep '^[kv] '
