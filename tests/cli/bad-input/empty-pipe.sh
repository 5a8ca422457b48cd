# A pipe that brings nothing is missing input, and leaves no output.
trap 'ls -A' EXIT
: | tconv -o out.h5
