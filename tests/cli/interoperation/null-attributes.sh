# A text attribute without a value stays one in a copy: with a list of no strings, PyTables does not open the file.
command -v h5dump >/dev/null || { echo "h5dump is not installed" >&2; exit 77; }
cp "$FIXTURES"/hdf5/coordinates.h5 .
tconv --quiet coordinates.h5 --select temperature -o copy.h5
h5dump -a /temperature/comment copy.h5 | grep -e STRSIZE -e DATASPACE
tconv --list copy.h5:/temperature | grep comment
