# Of a dataset that no memory holds, parts are read; all of it is refused at once, with what to do.
cp "$FIXTURES"/hdf5/sparse.h5 .
tconv --list sparse.h5
tconv 'sparse.h5:/vast[576460752303423488:576460752303423492]' -O csv | grep -v '^#'
tconv sparse.h5:/vast -o whole.h5 || echo $?
tconv 'sparse.h5:/vast[:4503599627370496]' -o whole.h5 || echo $?
[ ! -e whole.h5 ]
# A small one has more chunks than its file has bytes for: they were never written.
tconv sparse.h5:/one -O csv | grep -v '^#' | sort | uniq -c
