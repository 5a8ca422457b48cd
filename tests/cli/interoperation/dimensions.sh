# Axes with names: dimension scales that are written and kept in copies.
tconv() { command tconv --no-history "$@"; }
tconv 3=10,20,30 -o t.h5:/time
tconv 4xf32=40,20.1,-20,-40 -A -o t.h5:/grid/lat
seq 24 | tconv --no-header --reshape 3,4,2 -A -o t.h5:/t2m --dims time,grid/lat,member
tconv --list t.h5
tconv t.h5 -o copy.h5
tconv --list copy.h5 | tail -n 2
echo "-- a part"
tconv "t.h5:/t2m[1:]" --dims ,lat,member | tconv --list -
tconv t.h5:/t2m --transpose | tconv --list -
echo "-- refused"
tconv 2x2=1,2,3,4 --dims a,b,c -o none.h5 2>&1 || echo $?
tconv 2x2=1,2,3,4 -A -o t.h5:/small --dims time,member 2>&1 || echo $?
[ ! -e none.h5 ]
