# A tensor that is not there is said before a group on the other side, which is none.
. "$SUPPORT/try.sh"
tconv 2=1,2 -o a.h5:/x
tconv 2=1,2 -A -o a.h5:/g/x
tconv 2=1,2 -A -o a.h5:/g/y
try tdiff a.h5:/nope a.h5:/g
try tdiff a.h5:/g a.h5:/nope
try tdiff a.h5:/nope a.h5
try tdiff nope.h5:/x a.h5:/g
try tdiff a.h5:/g nope.h5:/x
try tdiff a.h5:/x a.h5:/g
try tdiff a.h5:/g 2=1,2 --strict
try tdiff a.h5:/g a.h5:/nope --strict
