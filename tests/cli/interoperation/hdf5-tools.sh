# What flows through a pipe is a plain HDF5 file: h5ls, h5dump and h5diff read it, with every type.
tconv 2x3xf32=1,2,3,4,5,6 -o a.h5:/enc/q
for dtype in f64 i8 u64; do tconv 2x$dtype=0,1 -A -o a.h5:/$dtype; done
tconv a.h5 | cat >piped.h5
h5ls -r piped.h5 | grep -v '^/  *Group'
h5diff a.h5 piped.h5 /enc/q
h5diff a.h5 piped.h5 /f64
h5dump -d /enc/q -y piped.h5 | sed -n '/DATA {/,/}/p'
h5dump -a /history piped.h5 | grep -c '"tconv\|^ *tconv'
