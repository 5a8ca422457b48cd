# --slab reads the part alone: of compressed chunks too, which is seen by the memory that is enough for it.
cp "$FIXTURES"/hdf5/filtered.h5 .
tconv filtered.h5:/gzip/f8 --slab 0:4,0:3,0:2 --max-memory 4000 | tdiff - 'filtered.h5:/plain[0:4,0:3,0:2]'
code=0
tconv filtered.h5:/gzip/f8 --max-memory 4000 >none 2>&1 || code=$?
echo $code
tconv filtered.h5 --select 'gzip/f*' --slab 12 --max-memory 4000 | tdiff -:/gzip/f4 'filtered.h5:/plain[12]'
tconv 2x3=1,2,3,4,5,6 --slab 1,::2 -O csv --no-header
tconv 2x3=1,2,3,4,5,6 --slab input=0,1: -O csv --no-header
code=0
tconv 'filtered.h5:/plain[1]' --slab 0 || code=$?
echo $code
