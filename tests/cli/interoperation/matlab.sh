# MATLAB's text, truth values and empty arrays are what they are there; axes stay as they are stored.
cp "$FIXTURES/hdf5/matlab.mat" m.mat
tdiff m.mat:/matrix 3x2=1,2,3,4,5,6
tdiff m.mat:/row 3x1=1,2,3
tconv m.mat:/text m.mat:/lines -O csv --concat 0
tconv 'm.mat:/lines[1]' -O csv
tconv m.mat:/truth -O csv
for empty in none no-int no-text; do tconv m.mat:/$empty -O csv; done
# A number of a class of MATLAB's own is none of its values.
tconv m.mat:/when -O csv || echo "exit code $?"
tdiff --raw m.mat:/when 1x6=3707764736,2,1,1,1,1
# A copy is what MATLAB wrote.
tconv m.mat -o copy.h5
tdiff --raw m.mat copy.h5
tconv --list m.mat
