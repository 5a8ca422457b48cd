# An HDF5 file that ends too early.
head -c 20000 "$FIXTURES/attention/attention.h5" >cut.h5
attend cut.h5 -o y.h5 || code=$?
[ ! -e y.h5 ]
exit $code
