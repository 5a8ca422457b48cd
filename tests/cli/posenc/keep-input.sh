# The input travels on as x.
L=$FIXTURES/layers/layers.h5
posenc --keep-input $L:/x -o a.h5
tdiff a.h5:/x $L:/x
