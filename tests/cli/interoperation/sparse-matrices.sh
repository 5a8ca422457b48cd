# A group that is a sparse matrix is read with its zeros where it is named, and copied in its parts with its file.
cp "$FIXTURES"/hdf5/sparse-matrices.h5 .
for name in csr csc tenx r; do
  tdiff sparse-matrices.h5:/$name 3x4=1,0,0,2,0,0,0,0,0,3,4,0
  tdiff "sparse-matrices.h5:/$name[::-2,1:]" 2x3=3,4,0,0,0,2
  tdiff "sparse-matrices.h5:/$name[2]" 4=0,3,4,0
done
tconv sparse-matrices.h5:/csr -O csv
softmax sparse-matrices.h5:/csc -O csv | head -n 3
tconv --list sparse-matrices.h5:/csr
tconv sparse-matrices.h5 -o copy.h5
tdiff copy.h5 sparse-matrices.h5
tconv sparse-matrices.h5:/damaged -O csv || echo $?
