# HDF5 takes no heed of "." and of double slashes in a path: the dataset has the name that the file lists.
tconv 2=1,2 --rename y=g/y -o x.h5
for path in g/y ./g/y g/./y .//g//y g/y/.; do
  tconv "x.h5:/$path" -O csv
  tconv "x.h5:/$path" | tconv --list | tail -n 1
  tconv "x.h5:/$path" -f -o y.h5
  tdiff "x.h5:/$path" y.h5:/g/y
done
tconv x.h5:/./g -O csv
tconv x.h5:/. -O csv
tconv x.h5:/./no 2>&1 || echo "exit code $?"
