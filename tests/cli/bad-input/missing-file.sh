# A file that does not exist is missing input, and leaves no output.
trap 'ls -A' EXIT
tconv missing.h5 -o out.h5
