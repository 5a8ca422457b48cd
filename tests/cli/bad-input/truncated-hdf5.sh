# An HDF5 file whose end is missing is noticed before anything is written.
tconv linspace=0,1,400 -o whole.h5
head -c 4000 whole.h5 >cut.h5
rm whole.h5
trap 'ls -A' EXIT
tconv cut.h5 -o out.h5
