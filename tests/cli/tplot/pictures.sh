# Every kind of picture in every format; one that exists is refused without -f.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tplot 2x2xf64=1,2,3,4 -o map.png
tplot --curves 4x2xf64=1,2,3,4,5,6,7,8 -o curves.svg
tplot --scatter -x 3xf64=1,2,3 3xf64=3,1,2 --fit 3xf64=2,2,2 --band 3x2xf64=1,3,1,3,1,3 -o points.pdf
tplot --histogram 5xf64=1,1,2,3,9 --bins 4 -o bars.png
ls
tplot 2x2xf64=1,2,3,4 -o map.png || echo $?
tplot 2x2xf64=1,2,3,4 -f -o map.png
tplot 2x2xf64=1,2,3,4 -o map.bmp || echo $?
# Suffixes in capitals.
mkdir capitals
for suffix in PNG SVG PDF; do tplot 2x2xf64=1,2,3,4 -o capitals/map.$suffix; done
head -c 4 capitals/map.PNG | tail -c 3; echo
grep -c '<svg' capitals/map.SVG
head -c 4 capitals/map.PDF; echo
tplot 3xf64=1,3,2 --size 40x12 | grep -c '[*A]' >/dev/null
# Panels go by their place, numbers of rows and columns by round steps.
tplot 2x3x1x2xf64=1,2,3,4,5,6,7,8,9,10,11,12 -o panels.svg
grep -o '>\[[01], [012]\]<' panels.svg
tplot linspace=0,1,133 --heatmap -o steps.svg
grep -o '>[0-9]*0<' steps.svg | paste -s -d' ' -
