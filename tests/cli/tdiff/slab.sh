# --slab compares parts, of both sides or of one; parts are called what they are.
. "$SUPPORT/try.sh"
tconv 3x2=1,2,3,4,5,6 -o a.h5
tconv 3x2=1,2,3,4,0,6 -o b.h5
try tdiff a.h5 b.h5 --slab :2
try tdiff a.h5 b.h5 --slab 1:
try tdiff a.h5:/y b.h5:/y --slab ':,1'
try tdiff a.h5 b.h5:/y --slab 2,0
try tdiff a.h5 2=3,4 --slab a=1
try tdiff a.h5 a.h5 --slab a=0 --slab b=1
try tdiff 'a.h5:/y[0]' 'a.h5:/y[1]'
try tdiff a.h5 b.h5 --slab c=1
try tdiff a.h5 b.h5 --slab 1:x
try tdiff a.h5 'b.h5:/y[1]' --slab 1
try tdiff a.h5 2=3,4 --slab 1
try tdiff a.h5 b.h5 --slab 5
