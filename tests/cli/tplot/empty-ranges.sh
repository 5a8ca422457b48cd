# A range in which there is nothing, or that is none, is refused.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tplot 3=1,2,3 --y-range 1000:2000 -o x.png || echo $?
tplot 3=1,2,3 --x-range 1000:2000 -o x.png || echo $?
tplot --histogram 3=1,2,3 --y-range 5: -o x.png || echo $?
tplot 2x2=1,2,3,4 --color-range 6:4 || echo $?
tplot 2x2=1,2,3,4 --color-range 4:4 -o x.png || echo $?
ls
# A line may cross the part between two of its points, and bars begin at 0.
tplot 2=0,10 --y-range 4:5 -o line.png
tplot --histogram 3=1,1,1 --y-range 1:2 -o bars.png
