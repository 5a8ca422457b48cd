# Chunks that expand to fewer bytes than they have, or more, or to none, are damage, and never read behind.
cp "$FIXTURES"/hdf5/short.h5 .
for name in short empty long cut noise; do
  code=0
  tconv short.h5:/$name -o none.h5 || code=$?
  [ $code -eq 65 ] || echo "$name: exit code $code"
  [ ! -e none.h5 ] || echo "$name: wrote"
done
