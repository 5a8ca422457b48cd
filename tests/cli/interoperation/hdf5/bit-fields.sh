# Bit fields are unsigned integers, in either order of bytes.
for order in LE BE; do
  tdiff "$FIXTURES/hdf5/flags.h5:/8$order" 3xu8=3,128,0
  tdiff "$FIXTURES/hdf5/flags.h5:/16$order" 3xu16=3,32768,0
  tdiff "$FIXTURES/hdf5/flags.h5:/32$order" 3xu32=3,2147483648,0
done
cp "$FIXTURES/hdf5/flags.h5" f.h5
tdiff f.h5:/8LE 3=1,1,0 || echo "exit code $?"
