# Tensors and columns that are left out, and a column beside a vector, which a part makes equal.
. "$SUPPORT/try.sh"
tconv 2=1,2 -o a.h5:/x
tconv 2=3,4 -A -o a.h5:/run/time
tconv 2=1,2 -o b.h5:/x
tconv 2=5,6 -A -o b.h5:/run/time
tconv 2=5,6 -A -o b.h5:/run/host
try tdiff a.h5 b.h5
try tdiff a.h5 b.h5 --exclude 'run/*'
try tdiff a.h5 b.h5 --exclude '*/time' --exclude run/host
try tdiff a.h5:/run b.h5:/run --exclude host
try tdiff a.h5:/run b.h5:/run --exclude '*'
try tdiff a.h5 b.h5 --exclude 'run/*' --exclude rnu/host
# Columns, of one kind and of several, in another order.
printf 'x,time,y\n1,7,2\n3,8,4\n' >a.csv
printf 'y,x,time\n2,1,9\n4,3,9\n' >b.csv
try tdiff a.csv b.csv
try tdiff a.csv b.csv --exclude 't*'
try tdiff a.csv b.csv --exclude 't*' --by-position
try tdiff a.csv b.csv --exclude '*'
try tdiff a.csv b.csv --exclude time --json
sed 's/^\([^,]*\),/\1,n\1,/' a.csv >c.csv
sed 's/^\([^,]*,[^,]*\),/\1,n\1,/; s/n2,1/n1/; s/n4,3/n3/; s/ny,x/nx/' b.csv >d.csv
try tdiff c.csv d.csv
try tdiff c.csv d.csv --exclude time
tconv a.csv -o ta.h5
tconv b.csv -o tb.h5
try tdiff ta.h5 tb.h5 --exclude time
# (n, 1) beside (n).
printf 'a\n1\n2\n3\n' >column.csv
tconv 3=1,2,3 -o vector.npy
tconv 1x3x1=1,2,3 -o deep.h5:/x
try tdiff column.csv vector.npy
try tdiff 'column.csv[:,0]' vector.npy
try tdiff vector.npy column.csv
try tdiff deep.h5 vector.npy
try tdiff 'deep.h5:/x[0,:,0]' vector.npy
try tdiff - vector.npy <column.csv
try tdiff '-[:,0]' vector.npy <column.csv
try tdiff vector.npy 4x1=1,2,3,4
try tconv vector.npy -o y.h5 --check column.csv
try tconv vector.npy -f -o y.h5 --check 'column.csv[:,0]'
try tconv column.csv -f -o y.h5 --check vector.npy
# Names of Keras beside those of PyTorch.
tconv 2x2=1,2,3,4 -o torch.h5:/dense/weight
tconv 2=5,6 -A -o torch.h5:/dense/bias
tconv torch.h5 --rename dense/weight=dense/kernel -o "of keras.h5"
try tdiff torch.h5 "of keras.h5"
try tdiff "of keras.h5" torch.h5
tconv "of keras.h5" --rename dense/kernel=dense/weight -o new.h5
try tdiff torch.h5 new.h5
