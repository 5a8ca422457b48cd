# File names with blanks, colons, brackets, commas, equals signs and other alphabets are file names.
for name in 'a b.h5' 'a:b.h5' 'a[0].h5' 'a,b=c.h5' 'größe.h5' 'a:' './-x.h5' "it's"; do
  tconv 3=1,2,3 -O h5 -o "$name"
  [ -e "$name" ] || echo "no file $name"
  tdiff "$name" 3=1,2,3
  tdiff "$name:/y[1]" 2
done
