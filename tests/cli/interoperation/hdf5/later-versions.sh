# Datasets and attributes in formats of HDF5 1.12 and later are read.
cp "$FIXTURES"/hdf5/later.h5 "$FIXTURES"/hdf5/empty.h5 .
refused() {
  code=0
  "$@" >out 2>errors || code=$?
  echo "$code $(cat errors)"
}
tconv --list later.h5
tconv --list --json later.h5 | sed -n '/"unreadable"/,$p'
tdiff later.h5:/chunked 8=0,1,2,3,4,5,6,7
tdiff later.h5:/flags 2=1,0
tdiff later.h5:/records/a,b 1x2=1,2
refused softmax later.h5:/nothing
tconv later.h5 --select x | tdiff - later.h5:/x
tconv later.h5:/x -o one.h5
softmax later.h5 | tdiff - "3=$(softmax one.h5 -O csv --no-header | sed '/^#/d' | paste -s -d ,)"
echo "-- without elements"
tconv --list empty.h5
tconv --list --json empty.h5 | tr -d ' \n' | grep -o '"none".*"vast":\[\]'
