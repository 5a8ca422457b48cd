# The names of a table's columns survive HDF5, and a choice of columns.
tconv "$EXAMPLES/cars.csv" -o cars.h5
tconv cars.h5 -O csv | cmp - "$EXAMPLES/cars.csv"
tconv "$EXAMPLES/cars.csv:/dist,speed[:2]" -O csv
tconv "$EXAMPLES/cars.csv:/dist[:1]" -O csv
# Names that are no longer those of the columns are not kept.
tconv "$EXAMPLES/cars.csv:/table[:1,1:2]" | tconv --list | grep -c columns || true
tconv "$EXAMPLES/cars.csv" --slab :2 --transpose | tconv --list | grep -c columns || true
