# A dimension scale is no default dataset, even where it is called x; it is read where it is named.
cp "$FIXTURES"/hdf5/coordinates.h5 .
softmax coordinates.h5 -o default.h5
softmax coordinates.h5:/temperature -o named.h5
tdiff default.h5:/y named.h5:/y
tdiff coordinates.h5:/x 3=10,20,30
tconv 3x4=1 -A -o coordinates.h5:/humidity
softmax coordinates.h5 -O csv || echo $?
