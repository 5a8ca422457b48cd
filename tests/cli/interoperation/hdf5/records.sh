# The fields of records are read by their names as columns are, whatever the layout; other elements are refused by a name.
cp "$FIXTURES"/hdf5/records.h5 .
for layout in whole chunks compact; do
  tdiff records.h5:/$layout/x 5=0.5,1.5,2.5,3.5,4.5
  tdiff records.h5:/$layout/pos/b 5=0,100,200,300,400
  tdiff records.h5:/$layout/s str=ab,c,,abcd,z
  tdiff "records.h5:/$layout/v[1:,::2]" 4x2=3,5,6,8,9,11,12,14
  tdiff "records.h5:/$layout/v[-1]" 3=12,13,14
  tdiff "records.h5:/$layout/x,n[::-2]" 3x2=4.5,2,2.5,0,0.5,-2
done
tdiff records.h5:/mixed/name str=ann,bob,céc
tdiff records.h5:/mixed/w,id 3x2=0.5,1,1.5,2,2.5,3
tdiff records.h5:/z/i 2x3=0,2,4,6,8,10
tdiff records.h5:/z 2x3x2=0,0,1,2,2,4,3,6,4,8,5,10
tdiff "records.h5:/z[1,::-2,1]" 2=10,6
tdiff records.h5:/arrays 2x3=0,1,2,3,4,5
tconv records.h5:/mixed --select '*/w' --select '*/name' -O csv
tconv records.h5 --select 'whole/[xy]' -o copy.h5
tconv --list copy.h5
tconv --list records.h5 --select z --select 'mixed/*'
for other in whole whole/q whole/x,s opaque lists references mixed/ref; do
  tconv "records.h5:/$other[:]" -o no.h5 || echo $?
done
