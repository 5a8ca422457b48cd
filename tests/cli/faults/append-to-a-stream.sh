# HDF5 cuts off what lies behind the first image of a file: nothing is added to such a file, and it stays.
tconv 3=1 -o a.h5:/a
tconv 3=2 -o b.h5:/b
cat a.h5 b.h5 >stream.h5
(cat a.h5 && echo junk) >junk.h5
for name in stream junk; do
  cp $name.h5 before.h5
  for force in '' -f; do
    code=0
    tconv 1=1 -A $force -o $name.h5:/n 2>errors || code=$?
    echo "$code $(cat errors)"
  done
  cmp before.h5 $name.h5
done
ls -A
