# The fill value of a record is not followed where it leads: one that leads nowhere made HDF5 crash.
tconv --list "$FIXTURES/hdf5/record-fill.h5"
