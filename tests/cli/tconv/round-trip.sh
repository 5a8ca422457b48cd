# CSV to HDF5 to CSV gives the same text and the same bits: signed zero, infinities, NaN, subnormals, 17 digits.
cat >a.csv <<'CSV'
a,b
-0,inf
nan,-inf
5e-324,-2.2250738585072014e-308
0.1,1.7976931348623157e+308
0.30000000000000004,123456789.12345679
CSV
tconv a.csv -o a.h5
tconv a.h5 -o b.csv
cmp a.csv b.csv
LC_ALL=de_DE.UTF-8 tconv a.csv | LC_ALL=de_DE.UTF-8 tconv -O csv | cmp - a.csv
