# Copies of datasets and of their parts may grow along the same axes; other formats cannot.
cp "$FIXTURES"/hdf5/growing.h5 .
tconv growing.h5 -o copy.h5
tdiff copy.h5 growing.h5
tconv growing.h5 --compress gzip --chunks 5,5,5 -o packed.h5
tdiff packed.h5 growing.h5
tconv 'growing.h5:/5/all[:3,1]' -A -o part.h5:/part
tconv growing.h5:/5/all --reshape 9,13,5 -A -o part.h5:/fixed
tconv growing.h5:/5/all growing.h5:/5/gzip --concat 1 -A -o part.h5:/long
tconv 'growing.h5:/5/all[0:0]' -A -o part.h5:/none
space() { h5dump -H -p -d "$@" | grep -o 'DATASPACE.*\|CHUNKED.*'; }
for file in growing copy packed; do for axes in 1 5 7; do space /$axes/all $file.h5; done; done
for name in part fixed long none; do space /$name part.h5; done
tconv --list copy.h5 | sed -n 2,3p
tconv growing.h5:/1/all -O npy >/dev/null
