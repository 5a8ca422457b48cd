# An output that exists is refused, and stays as it was.
echo precious >out.h5
trap 'ls -A; cat out.h5' EXIT
tconv 2=1,2 -o out.h5
