# The names of columns go on being names after a conversion to HDF5; formats without them say how to go on.
printf 'age,height,weight\n1,2,3\n4,5,6\n' >p.csv
tconv p.csv -o p.h5
for columns in age height,weight weight,age 2,0; do
  tdiff "p.h5:/table/$columns" "p.csv:/$columns"
done
tdiff p.h5:/age p.csv:/age
tdiff 'p.h5:/weight,age[1]' 2=6,4
tconv p.h5:/weight,age -O csv
tconv p.csv:/age,weight -A -o p.h5:/g/other
tconv p.h5:/g/weight,age -O csv
tconv p.h5:/table/size || echo $?
tconv p.csv -A -o p.h5:/more
tconv p.h5:/age || echo $?
tconv p.csv -o p.npy
tconv p.npy:/age || echo $?
tconv p.csv -o p.safetensors
tconv p.safetensors:/age || echo $?
