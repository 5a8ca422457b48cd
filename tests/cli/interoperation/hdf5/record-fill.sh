# References in the fill value of a record are checked like stored ones: HDF5 crashed on a broken one.
tconv --list "$FIXTURES/hdf5/record-fill.h5"
tconv "$FIXTURES/hdf5/record-fill.h5:/records/mark" -O csv --no-header
code=0
tconv "$FIXTURES/hdf5/record-fill.h5:/records/text" -O csv 2>&1 | sed 's/.*h5:/h5:/' || code=$?
