# Where no result is written, no picture is.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
data='-x 3=1,2,3 -y 3=1,2,4 --bandwidth 1'
nwreg $data --plot q.png --fail-on-nonfinite -q nan -o q.h5 --quiet || echo $?
nwreg $data --plot q.png -o /dev/full || echo $?
nwreg $data --plot-kernel k.png -o /dev/full || echo $?
ls
nwreg $data --plot q.png --plot-kernel k.png -o q.h5
ls
