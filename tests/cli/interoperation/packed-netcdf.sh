# What netCDF's attributes say of numbers is applied wherever they are read, as netCDF4 and xarray do, but for a copy.
cp "$FIXTURES/hdf5/packed.h5" p.h5
tdiff p.h5:/celsius 2x3=274.15,275.15,nan,273.15,273.65,272.15
tdiff p.h5:/single 4xf32=1.01,1.02,4,0.95
tdiff p.h5:/bytes 4xu8=1,255,100,128
tdiff p.h5:/filled-bytes 4=0.5,nan,50,64
tdiff p.h5:/signed 4xi8=1,-1,100,-128
tdiff p.h5:/filled 4xf32=1,nan,nan,4
tdiff p.h5:/nan 2xf32=1,nan
tdiff p.h5:/whole 3=7,nan,9
tdiff p.h5:/truth 3=0,1,1
# Parts, pipes, every output but HDF5, and values that are listed.
tdiff 'p.h5:/celsius[1,::2]' 2=273.15,272.15
tconv p.h5:/bytes | tconv -:/bytes -O csv
tconv p.h5:/celsius -o c.npy
tdiff c.npy p.h5:/celsius
tconv --list --values p.h5:/celsius
# The numbers as they are stored.
tdiff --raw p.h5:/celsius 2x3xi16=100,200,-999,0,50,-100
tconv --raw p.h5:/bytes -O csv
# A copy into HDF5 keeps them, and the attributes, so that they are decoded once; so does --keep. What is computed
# has the values, and none of the attributes.
tconv p.h5 -o copy.h5
tdiff --raw p.h5 copy.h5
tdiff p.h5 copy.h5
softmax p.h5:/single --keep celsius -o kept.h5
tdiff --raw p.h5:/celsius kept.h5:/celsius
tdiff p.h5:/celsius kept.h5:/celsius
tconv p.h5:/celsius --dtype f64 --no-history -o values.h5
tconv --list values.h5
tconv p.h5:/single p.h5:/bytes --concat 0 --no-history -o joined.h5
tdiff joined.h5 8=1.01,1.02,4,0.95,1,255,100,128 --atol 1e-7
# Not all readers leave these out.
tdiff p.h5:/valid 4xi16=1,2,300,-5
