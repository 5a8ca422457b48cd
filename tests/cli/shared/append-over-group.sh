# -A -f replaces datasets, never a group with all that is in it.
tconv 2xf32=3,4 -o g.h5:/q/w
tconv 2xf32=1,2 -A -f -o g.h5:/q 2>&1 || echo $?
tconv g.h5:/q/w -O csv --no-header | grep -v '^#'
tconv 2xf32=5,6 -A -f -o g.h5:/q/w
tconv g.h5:/q/w -O csv --no-header | grep -v '^#'
