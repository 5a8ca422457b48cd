# On a small terminal the numbers of an axis are few and whole.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tplot -x 8=1950,1960,1970,1980,1990,2000,2010,2020 8=0,1,2,3,4,5,6,7 --size 40x8 --ylabel '' | grep -o '[0-9][0-9]*' | paste -s -d' ' -
tplot -x 3=1700000000,1700000050,1700000100 3=-10000,0,30000 --size 50x14 | grep -o '[-0-9][0-9][0-9]*' | paste -s -d' ' -
# Numbers that are hardly apart end it too.
tplot 2=1e15,1000000000000000.125 --size 40x8 | grep -c '+--'
# Where 0 lies between them, a step ends the search, however little room there is.
tplot -x 2=-1,1 2=1,2 --size 10x5 | grep -c .
# Powers of ten, and the edges of bars.
tplot --log x -x 4=0.001,1,1000,1e6 4=1,2,3,4 --size 40x10 | tail -n 2
tplot --histogram 7=0,0,1,0,1,1,1 --size 40x10 --xlabel values | tail -n 3
