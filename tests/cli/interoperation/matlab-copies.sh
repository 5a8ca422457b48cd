# MATLAB opens a copy of its file: the bytes before the HDF5 file and texts of one width in its attributes are there.
cp "$FIXTURES/hdf5/matlab.mat" m.mat
tconv m.mat --select matrix --select text --select none -O h5 -o copy.mat
tconv m.mat:/truth -A -O h5 -o added.mat
for file in copy added; do
  head -c 19 $file.mat
  head -c 128 $file.mat | tail -c 4 | od -A n -t x1
done
h5dump -a /text/MATLAB_class copy.mat | grep 'STR\|CSET\|:'
cat copy.mat added.mat | tconv --list - | grep -c MATLAB_class
tconv copy.mat:/matrix --axes 1,0 | head -c 8 | od -A n -c
