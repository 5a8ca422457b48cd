# What stays behind of what --keep names is said by -n as by the run.
cp "$FIXTURES/hdf5/attributes.h5" a.h5
softmax a.h5:/enc/q --keep x -o y.h5 2>run
softmax a.h5:/enc/q --keep x -o z.h5 -n >plan 2>dry
cmp run dry
grep -c 'not copied' dry
