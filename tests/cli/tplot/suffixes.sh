# The suffix of a picture may be in capitals, as cameras and Windows write it.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
for suffix in PNG Svg PDF; do tplot 3=1,2,4 -o line.$suffix && head -c 4 line.$suffix | tr -d '\211\n' && echo; done
nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot fit.PNG -o y.h5
tplot 3=1,2,4 -o line.PNG.gif || echo $?
tplot 3=1,2,4 -o line.d/PNG || echo $?
