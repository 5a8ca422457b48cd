# What a later HDF5 stores in a way of its own is named wherever datasets are listed, and never silently left out; the
# attributes beside one of that kind are read.
cp "$FIXTURES"/hdf5/later.h5 "$FIXTURES"/hdf5/empty.h5 .
refused() {
  code=0
  "$@" >out 2>errors || code=$?
  echo "$code $(cat errors)"
}
tconv --list later.h5
tconv --list --json later.h5 | sed -n '/"unreadable"/,$p'
refused tconv later.h5:/chunked
refused tconv later.h5
refused tdiff later.h5 later.h5
refused linear later.h5:/x -w 3x3=1 --keep 'flag*'
refused softmax later.h5:/nothing
tconv later.h5 --select x | tdiff - later.h5:/x
tconv later.h5:/x -o one.h5
softmax later.h5 | tdiff - "3=$(softmax one.h5 -O csv --no-header | sed '/^#/d' | paste -s -d ,)"
echo "-- without elements"
tconv --list empty.h5
tconv --list --json empty.h5 | tr -d ' \n' | grep -o '"none".*"vast":\[\]'
