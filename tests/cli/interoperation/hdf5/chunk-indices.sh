# Every chunk index of HDF5 1.10 and 2.0, with and without filters, sparse, with unlimited axes; strings in compressed
# chunks, and complex numbers.
cp "$FIXTURES"/hdf5/indices.h5 "$FIXTURES"/hdf5/later-indices.h5 .
for file in indices.h5 later-indices.h5; do
  for name in $(tconv --list $file | sed 's/  .*//'); do
    case $name in
      plain) continue ;;
      flags) tdiff $file:/flags 3=1,0,1 ;;
      words) tdiff $file:/words 'str=Smith,,Sato,a longer one with Grüße' ;;
      complex) tdiff $file:/complex 2x2=1,2,3,-1 ;;
      *-sparse)
        tdiff "$file:/$name[8:12,3:6]" "$file:/plain[8:12,3:6]" || echo "$file:/$name differs"
        tdiff "$file:/$name[:8]" 8x11=5 || echo "$file:/$name differs in unwritten chunks"
        ;;
      *)
        tdiff "$file:/$name" $file:/plain || echo "$file:/$name differs"
        tdiff "$file:/$name[1:18:3,::-4]" "$file:/plain[1:18:3,::-4]" || echo "$file:/$name differs in part"
        ;;
    esac
  done
  cat $file | tdiff -:/both-gzip $file:/plain
done
