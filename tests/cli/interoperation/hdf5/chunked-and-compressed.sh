# Files that others wrote: chunked, compressed, big-endian, with newer superblocks.
tconv linspace=0,99,100 --reshape 10,10 --dtype i32 -o a.h5
h5repack -l CHUNK=4x5 -f GZIP=6 a.h5 b.h5
h5repack -L -f SHUF -f GZIP=1 -l CHUNK=10x10 a.h5 c.h5
h5repack --low=2 --high=2 a.h5 d.h5 2>/dev/null || cp a.h5 d.h5
for file in b.h5 c.h5 d.h5; do
  tdiff a.h5 $file
  tdiff a.h5:/y[2:9:3,-1] $file:/y[2:9:3,-1]
  tconv $file -O csv --no-header >text
  tconv a.h5 -O csv --no-header | cmp - text
  cat $file | tdiff - a.h5
done
