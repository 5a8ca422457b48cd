# With --external, links to other files, virtual datasets and external storage are read, only from that folder.
cp -r "$FIXTURES/hdf5/others" "$FIXTURES/hdf5/filters.h5" .
for file in others/master.h5 others/later.h5; do
  tconv --list --external others $file
  of() { tdiff --external others "$file:/$1" "$2"; }
  of raw 3x2=6,7,8,9,10,11
  of rows 4x3=0,1,2,3,4,5,10,11,12,13,14,15
  of turns 4x3=0,1,2,10,11,12,3,4,5,13,14,15
  of 'turns[1:4:2,::-2]' 2x2=12,10,15,13
  of partly 2x4=7,0,2,7,7,3,5,7
  of itself 3=0,2,4
  of blocks 2x2x3=0,1,2,3,4,5,10,11,12,13,14,15
  of link 3=1,2,3
  of group/x 3=0,1,2
done
cat others/master.h5 | tdiff --external others -:/rows others/later.h5:/own 2>&1 || :
refused() { tconv "$@" -o none.h5 2>&1 || :; }
refused --external others others/master.h5:/round
refused --external others others/master.h5:/missing
refused --external others others/master.h5:/outside
tdiff --external . others/master.h5:/outside filters.h5:/plain
refused others/master.h5:/link
refused others/master.h5:/rows
refused --external no others/master.h5:/rows
echo "-- missing files"
rm others/part-1.h5 others/second.bin
tdiff --external others others/master.h5:/rows 4x3=0,1,2,3,4,5,0,0,0,0,0,0
refused --external others others/master.h5:/raw
[ ! -e none.h5 ]
