# One variable of netCDF, and a part of one, is copied with the coordinates of its axes, and with what these and it name:
# bounds, mappings, labels; of each the same part.
cp "$FIXTURES"/hdf5/stations.h5 s.h5
tconv() { command tconv --no-history "$@"; }
show() { tconv --list "$1" | grep -v -e '@NAME' -e '@CLASS'; }
tconv s.h5:/temp -o whole.h5
show whole.h5
tconv s.h5 --select temp -o chosen.h5 && tdiff chosen.h5 whole.h5
for name in temp time station length name height time_bnds crs nv; do tdiff whole.h5:/$name s.h5:/$name; done
echo "-- a part"
tconv 's.h5:/temp[time=6:12]' -o part.h5
tdiff part.h5:/temp 's.h5:/temp[1:3]' && tdiff part.h5:/time_bnds 's.h5:/time_bnds[1:3]'
tdiff 'part.h5:/temp[time=2024-01-01T12]' 's.h5:/temp[2:3]'
tdiff 'part.h5:/temp[name=Bodo]' 's.h5:/temp[1:3,2]'
echo "-- turned, and without an axis"
tconv s.h5:/temp --slab 1:3,::-1 --transpose -o turned.h5
tconv --list turned.h5 | grep -A 2 '^temp'
tdiff 'turned.h5:/temp[name=Bodo]' 's.h5:/temp[1:3,2]'
tconv 's.h5:/temp[name=Bergen]' -o one.h5 && show one.h5
echo "-- beside others"
tconv s.h5:/of_id -o more.h5 && tconv s.h5:/temp -A -o more.h5 && tconv s.h5:/flag -A -o more.h5
tconv 's.h5:/flag[1:3]' -A -o more.h5:/later
tconv --list more.h5 | grep -A 1 -e '^flag' -e '^later' -e '^temp'
softmax s.h5:/of_id --keep flag -o kept.h5 && tdiff kept.h5:/time s.h5:/time
softmax s.h5:/of_id --keep-input -o kept.h5 -f && tdiff kept.h5:/id s.h5:/id
tconv -n s.h5:/of_id -o new.h5 | grep write
echo "-- not kept"
tconv s.h5:/temp --reshape 2,6 -o shape.h5 && tconv --list shape.h5
tconv s.h5:/temp --dims a,b -o dims.h5 && tconv --list dims.h5 | grep LIST
