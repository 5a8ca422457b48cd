# Streams of a size for which memory is made ready while they come: all of it arrives, and a cut one is noticed.
tconv linspace=0,1,6000000 --no-history >x.h5
tdiff - x.h5 <x.h5
cat x.h5 | tdiff - x.h5
cat x.h5 x.h5 | tconv --no-history >two.h5
cat x.h5 x.h5 | cmp - two.h5
gzip -1 -c x.h5 | tdiff - x.h5
for bytes in 20000000 40000000; do
  code=0
  head -c $bytes x.h5 | tdiff - x.h5 || code=$?
  [ $code -eq 66 ] || echo "cut at $bytes: exit code $code"
done
