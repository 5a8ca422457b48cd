# What was never written is the fill value, wherever the file begins.
tdiff "$FIXTURES/hdf5/unwritten.h5:/x" 4xf32=0,0,0,0
tdiff "$FIXTURES/hdf5/unwritten.h5:/three" 4xf32=3,3,3,3
tdiff "$FIXTURES/hdf5/unwritten.h5:/written" 4xf64=0,1,2,3
