# One head and identity projections are attend.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/one --heads 1 --emit weights -o a.h5
attend -q $L:/x -k $L:/x -v $L:/x --emit weights -o b.h5
tdiff a.h5:/y b.h5:/y
tconv a.h5:/weights --reshape 2,6,6 | tdiff - b.h5:/weights
