# -O writes a picture into a pipe, or into a file of any name.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
begin() { head -c 5 | tr -d '\211\n'; echo; }
tplot 3=1,2,4 -O png | begin
tplot 3=1,2,4 -O pdf -o - | begin
tplot 3=1,2,4 -O svg -o /dev/stdout | begin
tplot 2x2=1,2,3,4 -O png -o picture.dat
begin <picture.dat
tplot 2x2=1,2,3,4 -O png -o picture.dat || echo $?
tplot 3=1,2,4 -o /dev/stdout || echo $?
mkfifo fit.png
begin <fit.png &
nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot fit.png -o y.h5
wait
nwreg -x 3=1,2,3 -y 3=1,2,4 --bandwidth 1 --plot /dev/stdout -o z.h5 || echo $?
command -v script >/dev/null || { echo "script is not installed" >&2; exit 77; }
script -qec 'tplot 3=1,2,4 -O png' /dev/null </dev/null | tr -d '\r'
