# Tensors that do not fit together are named with their shapes.
trap 'ls -A' EXIT
attend -q 1x4=1,2,3,4 -k 3x4=1,2,3,4,5,6,7,8,9,10,11,12 -v 2x4=1,2,3,4,5,6,7,8 -o out.h5
