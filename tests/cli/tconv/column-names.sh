# The names of a table's columns survive HDF5, and a choice of columns.
tconv "$EXAMPLES/cars.csv" -o cars.h5
tconv cars.h5 -O csv | cmp - "$EXAMPLES/cars.csv"
tconv "$EXAMPLES/cars.csv:/dist,speed[:2]" -O csv
tconv "$EXAMPLES/cars.csv:/dist[:1]" -O csv
