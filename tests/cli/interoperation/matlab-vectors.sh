# A vector of MATLAB is a row here: a note says so, and how it is a vector.
cp "$FIXTURES/hdf5/vectors.mat" v.mat
nwreg -x v.mat:/x -y v.mat:/y --bandwidth 1 -o rows.h5
nwreg -x 'v.mat:/x[0]' -y 'v.mat:/y[0]' --bandwidth 1 -o vectors.h5
nwreg -x 3=1,2,3 -y 3=2,4,8 --bandwidth 1 -o expected.h5
tdiff vectors.h5 expected.h5
tdiff v.mat:/row 3x1=1,2,3
# Axes that were turned are in order, and nothing says otherwise.
tconv "$FIXTURES/hdf5/matlab.mat:/matrix" --quiet --axes 1,0 -o turned.h5
tdiff turned.h5 2x3=1,3,5,2,4,6
