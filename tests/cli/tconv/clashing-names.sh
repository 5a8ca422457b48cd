# What HDF5 cannot hold side by side, a dataset and a group of one name, is refused before anything is written.
. "$SUPPORT/try.sh"
printf 'km/h,km,w\n1,2,a\n3,4,b\n' >x.csv
try tconv x.csv --rename w=km/w -o x.h5
[ ! -e x.h5 ]
tconv x.csv -o y.h5
tconv y.h5 -O csv | cmp - x.csv
printf 'km/h,w\n1,a\n3,b\n' >x.csv
tconv x.csv -o x.h5
tconv x.h5:/km/h -O csv
try tconv 1=1 -A -o x.h5:/km/h/x
try tconv 1=1 -A -f -o x.h5:/km
# Slashes at the ends of a column's name: an operand need not have them.
printf '/a,b/\n1,2\n3,4\n' >y.csv
tconv y.csv -O csv | cmp - y.csv
tconv y.csv:/a,b -O csv | cmp - y.csv
tconv y.csv:/b/ -O csv
# A column without a name, as R writes row names, is called by its number.
printf '"",b\nr,2\n' >z.csv
tconv --list z.csv
tconv z.csv -o z.h5
tconv z.h5 -O csv
