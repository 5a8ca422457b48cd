# Axes with names: dimension scales that are written, kept in copies, and used for parts by coordinate.
tconv() { command tconv --no-history "$@"; }
tconv 3=10,20,30 -o t.h5:/time
tconv 4xf32=40,20.1,-20,-40 -A -o t.h5:/grid/lat
seq 24 | tconv --no-header --reshape 3,4,2 -A -o t.h5:/t2m --dims time,grid/lat,member
tconv --list t.h5
tconv t.h5 -o copy.h5
tconv --list copy.h5 | tail -n 2
for file in t.h5 copy.h5; do
  tdiff "$file:/t2m[time=15:30]" "$file:/t2m[1:]"
  tdiff "$file:/t2m[lat=-20:20.1,time=20]" "$file:/t2m[1,1:3]"
  tdiff "$file:/t2m[lat=20.1]" "$file:/t2m[:,1]"
  tdiff "$file:/t2m[lat=:-20,time=:]" "$file:/t2m[:,2:]"
  tdiff "$file:/time[time=20:]" 2=20,30
done
cat t.h5 | tdiff "-:/t2m[time=30]" "t.h5:/t2m[2]"
echo "-- a part"
tconv "t.h5:/t2m[1:]" --dims ,lat,member | tconv --list -
tconv t.h5:/t2m --transpose | tconv --list -
echo "-- refused"
for part in level=3 time=11:19 time=25 member=1; do tconv "t.h5:/t2m[$part]" 2>&1 || echo $?; done
tconv 2x2=1,2,3,4 --dims a,b,c -o none.h5 2>&1 || echo $?
tconv 2x2=1,2,3,4 -A -o t.h5:/small --dims time,member 2>&1 || echo $?
tconv "copy.h5:/t2m" -o "none.h5:/t2m[time=1:2]" 2>&1 || echo $?
[ ! -e none.h5 ]
