# netCDF's own fill of integers is missing where they become floats, and is named where they stay integers.
f=$FIXTURES/hdf5/fills.h5
cp "$f" f.nc
tdiff f.nc:/packed 3xf64=5,10,nan
tdiff f.nc:/marked 3=10,nan,nan
nwreg -x 3=1,2,3 -y f.nc:/count --bandwidth 1 -O npy > y.npy
tdiff 'f.nc:/count[:2]' 2=10,20
tconv f.nc:/beyond -O csv
# One that has a fill of its own, and bytes, have no other.
tdiff f.nc:/own 3=10,nan,-2147483647
tdiff f.nc:/bytes 2=10,-127
# Wide integers among which some are missing: digits are not lost without a word.
tdiff f.nc:/wide 3xf64=1152921504606846977,nan,5
tdiff f.nc:/small 3=4503599627370497,nan,5
tdiff --raw f.nc:/wide 3xi64=1152921504606846977,-1,5
# The sign of 0 stays.
tconv f.nc:/zeros f.nc:/scaled-zeros -O csv
