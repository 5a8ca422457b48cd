# Attributes that may change what numbers mean are named once, and not applied.
cp "$FIXTURES/hdf5/doubtful.h5" d.h5
cp "$FIXTURES/hdf5/masked.h5" m.h5
for name in eos eos-plain bands words hdf4 conversion scale factor missing-text range-text; do
  tdiff "d.h5:/$name" 2xi16=1,2
done
tdiff "m.h5:/dataset1/data1/data" 1x2xu8=1,255
cp "$FIXTURES/hdf5/pytables.h5" t.h5
tconv t.h5:/times -O csv
tdiff "d.h5:/eos" "d.h5:/eos"
tdiff --raw "d.h5:/eos" 2xi16=1,2
