# Negative steps go backwards, as NumPy has it, in every format and layout; of files, what is asked for is read forwards.
cp "$FIXTURES"/hdf5/filtered.h5 .
tconv linspace=0,23,24 --reshape 4,6 -o x.h5
tconv x.h5 -o x.npy
tconv x.h5 -o x.safetensors
tconv x.h5 -O csv --no-header -o x.csv
for file in x.h5 x.npy x.safetensors x.csv; do
  tconv "$file[::-2,4:1:-1]" | tdiff - 2x3=22,21,20,10,9,8
  tdiff "$file[-1,::-5]" 2=23,18
  cat "$file" | tdiff -- '-[1::-1,0]' 2=6,0
done
tconv x.h5 --slab ::-1 -o turned.h5
tconv turned.h5 --slab ::-1 | tdiff - x.h5
tconv 'x.h5[1:2:-1]' | tconv --list | grep -c '(0, 6)'
for name in gzip/f8 grows one plain; do
  tconv "filtered.h5:/$name[10:3:-4,::-1,1:]" -O npy -o part.npy -f
  tconv "filtered.h5:/$name[6:11:4,:,1:]" | tconv --slab ::-1,::-1 | tdiff - part.npy
done
code=0
tconv 'x.h5[::0]' || code=$?
echo $code
