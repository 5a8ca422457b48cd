# A copy of a dataset that can grow has a fixed size, and a note says so; other formats never could.
cp "$FIXTURES"/hdf5/growing.h5 .
tconv growing.h5 -o copy.h5
tdiff copy.h5 growing.h5
tconv growing.h5 --select "$(tconv --list growing.h5 | head -n 1 | cut -d ' ' -f 1)" -O npy >/dev/null
