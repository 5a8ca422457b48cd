# A dataset that is not there: the error lists those that are.
tconv 2=1,2 -o tables.h5
trap 'ls -A' EXIT
tconv tables.h5:/nope -o out.h5
