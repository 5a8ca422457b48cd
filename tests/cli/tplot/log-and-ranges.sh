# Logarithmic axes, and parts of axes.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
tics() { sed 's/<text>/\n<text>/g' "$1" | grep -o '> *[-0-9.e+][-0-9.e+]*<' | tr -d '>< ' | paste -s -d' ' -; }
tplot --curves --log y 4xf64=1,10,100,1000 -o y.svg
tics y.svg
tplot --scatter --log xy -x 3xf64=1,10,100 3xf64=0.1,1,10 -o xy.svg
tics xy.svg
# What has no place there is left out with a note; nothing at all is an error.
tplot --curves --log y 5xf64=1,0,-1,inf,100 -o left.svg
tplot --curves 3xf64=1,inf,3 -o infinite.svg
tplot --curves --log y 2xf64=0,-1 -o nothing.svg || echo $?
tplot --scatter --log x -x 2xf64=-1,0 2xf64=1,2 -o nothing.svg || echo $?
# The lower border of a band may go below; bars stand on the axis; bins are equal in logarithms.
tplot --scatter --log y 2xf64=1,10 --fit 2xf64=1,10 --band 2x2xf64=-1,3,5,20 -o band.svg
tplot --histogram --log y 3xf64=1,1,5 -o bars.svg
tplot --histogram --log x 4xf64=1,10,100,1000 --bins 3 -o bins.svg
tics bins.svg
tplot --histogram --log x 3xf64=-1,0,nan -o nothing.svg || echo $?
# Parts of axes, either end of which may be missing.
tplot --curves --x-range 2:4 --y-range -10:10 7xf64=1,2,3,4,5,6,7 -o part.svg
tics part.svg
tplot --curves --xrange 4: --yrange :8 7xf64=1,2,3,4,5,6,7 -o open.svg
tics open.svg
tplot --curves --x-range '[4:2]' 7xf64=1,2,3,4,5,6,7 -o turned.svg
tics turned.svg
tplot 1x3xf64=-5,1,9 --color-range 0:2
for wrong in '--x-range 5' '--x-range 5:5' '--x-range a:5' '--y-range 0:inf' '--x-range 20:30' '--log z' \
    '--log x --x-range 0:5' '--log y --y-range -1:' '--alpha 2'; do
  tplot --curves $wrong 3xf64=1,2,3 -o wrong.svg || echo $?
done
# With another kind of picture they do no harm.
tplot 1x2xf64=1,2 --log x --x-range 1:2 --y-range 0:1 --bins 3 --alpha 0.5 -f
