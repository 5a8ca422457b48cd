# NA of R's integers and truth values is NaN, whatever number stands for it.
cp "$FIXTURES/hdf5/r.h5" r.h5
tdiff r.h5:/counts 3=3,nan,5
tdiff r.h5:/wide 3=3,nan,5
tdiff r.h5:/reals 2=1.5,nan
tdiff r.h5:/truth 3=0,1,nan
tdiff r.h5:/seurat 3=0,1,nan
tdiff r.h5:/hdf5r 3=0,1,nan
tdiff --raw r.h5:/counts 3xi32=3,-2147483648,5
nwreg -x 3=1,2,3 -y r.h5:/counts --bandwidth 1 --missing omit -O csv | wc -l
# A copy says it in the same way.
tconv r.h5:/counts -o copy.h5
tdiff --raw r.h5:/counts copy.h5
tdiff r.h5:/counts copy.h5
# R's matrix of 3 rows.
tdiff r.h5:/matrix 2x3=0,1,2,3,4,5
# AnnData marks them beside the values; without codes are those of no category.
tdiff "$FIXTURES/hdf5/masked.h5:/obs/count/values" 3=1,nan,3
tdiff "$FIXTURES/hdf5/masked.h5:/obs/count/values[1:]" 2=nan,3
tdiff "$FIXTURES/hdf5/masked.h5:/obs/kind/codes" 3=0,nan,1
