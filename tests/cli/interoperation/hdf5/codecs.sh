# Every supported filter gives the unfiltered numbers, whole and in parts; others are refused by name.
cp "$FIXTURES"/hdf5/filters.h5 .
for name in $(tconv --list filters.h5 | sed 's/  .*//'); do
  case $name in plain | blosc2 | n-bit-records/* | scale-offset-float) continue ;; esac
  tdiff "filters.h5:/$name" filters.h5:/plain || echo "$name differs"
  tdiff "filters.h5:/$name[3:17:5,::-2]" "filters.h5:/plain[3:17:5,::-2]" || echo "$name differs in part"
done
tdiff filters.h5:/n-bit-records/a 7=-3,-2,-1,0,1,2,3
tdiff filters.h5:/n-bit-records/b 7x2=0,.5,1,1.5,2,2.5,3,3.5,4,4.5,5,5.5,6,6.5
tdiff "filters.h5:/scale-offset-float[1,:4]" 4=3.375,4.25,5.125,6 --atol 0.0005
code=0
tconv filters.h5:/blosc2 -o none.h5 || code=$?
echo $code
