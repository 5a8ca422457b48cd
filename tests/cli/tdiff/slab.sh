# --slab compares parts, of both sides or of one; parts are called what they are.
try() { tdiff "$@" || echo "exit code $?"; }
tconv 3x2=1,2,3,4,5,6 -o a.h5
tconv 3x2=1,2,3,4,0,6 -o b.h5
try a.h5 b.h5 --slab :2
try a.h5 b.h5 --slab 1:
try a.h5:/y b.h5:/y --slab ':,1'
try a.h5 b.h5:/y --slab 2,0
try a.h5 2=3,4 --slab a=1
try a.h5 a.h5 --slab a=0 --slab b=1
try 'a.h5:/y[0]' 'a.h5:/y[1]'
try a.h5 b.h5 --slab c=1
try a.h5 b.h5 --slab 1:x
try a.h5 'b.h5:/y[1]' --slab 1
try a.h5 2=3,4 --slab 1
try a.h5 b.h5 --slab 5
