# Heads are never taken for positions where shapes show that they cannot be: the error names the layout.
. "$TESTDIR/qkv"
tconv "$X:/q" --axes 0,2,1,3 -o q.h5
tconv "$X:/k" --axes 0,2,1,3 -o k.h5
attend -q q.h5 -k q.h5 -v q.h5 --heads 4 || echo $?
attend -q q.h5 -k k.h5 -v k.h5
