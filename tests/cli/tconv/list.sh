# --list shows names, shapes, types, attributes; --values adds statistics; a group and --select narrow it.
tconv 2x3xf32=1,2,3,4,5,6 --no-history -o a.h5:/enc/0/q
tconv 2xi64=7,9 -A --no-history -o a.h5:/enc/1/ids
tconv str=Smith,Sato -A --no-history -o a.h5:/names
tconv --list a.h5
echo "-- values"
tconv --list --values a.h5
echo "-- group"
tconv --list a.h5:/enc
echo "-- one"
tconv --list a.h5:/enc/1/ids
echo "-- select"
tconv --list --select '*/q' --select na* a.h5
echo "-- no such"
code=0
tconv --list a.h5:/dec || code=$?
echo $code
echo "-- nothing is selected"
try() { "$@" || echo "exit code $?"; }
try tconv --list --select 'nope*' a.h5
try tconv --list --json --select 'nope*' a.h5:/enc a.h5:/names
try tconv --list --select 'nope*' --select enc/1 a.h5
echo "-- a part"
code=0
tconv --list 'a.h5:/enc/0/q[0]' 2>/dev/null || code=$?
echo $code
