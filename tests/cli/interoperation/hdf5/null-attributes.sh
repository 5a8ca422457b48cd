# A null attribute stays one in a copy: PyTables stores an empty title so, and opens no file where it is an array.
tconv "$FIXTURES/hdf5/null.h5" --no-history -o copy.h5
h5dump copy.h5 | sed 1d > copy.txt
h5dump "$FIXTURES/hdf5/null.h5" | sed 1d > null.txt
grep -c 'DATASPACE  NULL' null.txt copy.txt
sed -n '/ATTRIBUTE "TITLE"/,/DATASPACE/p' copy.txt
