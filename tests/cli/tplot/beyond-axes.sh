# Numbers that no axis of gnuplot shows are refused with one line: too large, or too close to each other.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tplot 3=1.7e308,-1.7e308,0 --histogram -o x.png || echo $?
tplot 3=1e308,1e308,1e308 -o x.png || echo $?
tplot 3=1e-310,2e-310,3e-310 -o x.svg || echo $?
tplot -x 3=0,1e305,2 3=1,2,3 || echo $?
tplot 2x2=1e305,-1.7e308,0,1 -o x.png || echo $?
ls
# The part that is in sight counts.
tplot -x 3=0,1e305,2 3=1,2,3 --x-range 0:3 -o part.png
