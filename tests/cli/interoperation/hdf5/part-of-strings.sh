# A text that fills elements which were never written stands there, whichever part is read. (HDF5 1.10 wants to write
# into a file that is open for reading, to read it.)
f=$FIXTURES/hdf5/part-of-strings.h5
for part in '' '[::2]' '[1:6,1:4]' '[-1::-2,::-1]' '[3]' '[:,4]' '[4,1]' '[2:2]'; do
  tdiff "$f:/filled$part" "$f:/whole$part"
  tdiff "-:/filled$part" "$f:/whole$part" <"$f"
done
tconv "$f:/filled" -o x.h5
tdiff x.h5 "$f:/whole"
