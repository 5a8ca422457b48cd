# Chunks are found where they are, whichever axes of a dataset may grow (HDF5 1.10 lists them elsewhere when a single one
# does that is not the first), and where some were never written.
for axes in 1 2 3 4 5 6 7; do
  for filters in gzip all none; do
    tdiff "$FIXTURES/hdf5/growing.h5:/$axes/$filters" "$FIXTURES/hdf5/growing.h5:/plain"
    part='[::2,-1:0:-3,1:]'
    tdiff "$FIXTURES/hdf5/growing.h5:/$axes/$filters$part" "$FIXTURES/hdf5/growing.h5:/plain$part"
  done
  tdiff "$FIXTURES/hdf5/growing.h5:/$axes/part" "$FIXTURES/hdf5/growing.h5:/part"
done
