# Shapes, types, fill values, filters and attributes that several headers share in a heap of the file are read as others.
cp "$FIXTURES/hdf5/shared.h5" .
tconv --list --values shared.h5
tdiff --strict shared.h5:/a shared.h5:/b || echo "exit code $?"
tconv shared.h5:/words -O csv --no-header
tconv shared.h5 -o copied.h5
tdiff --strict copied.h5 shared.h5
tconv copied.h5:/b --slab 1:3,1 -O csv --no-header
