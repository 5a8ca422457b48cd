# Colours of heat maps by the names of matplotlib; that of two colours has its middle at 0.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
colours() { tplot 1x3xf64=$1 --palette "$2" --legend none -f -o p.svg && grep -o "polygon fill = 'rgb([^)]*)'" p.svg | tr -d ' ' | sort -u; }
colours 0,1,2 Greys
colours 0,1,2 Greys_r
colours -1,0,5 RdBu
tplot 1x2=0,1 --cmap magma -f -o p.png
tplot 1x2=0,1 --palette jet -f -o p.png || echo $?
tplot 1x2=0,1 --font-size 0 -f -o p.png || echo $?
command -v script >/dev/null || { echo "script is not installed" >&2; exit 77; }
shown() { script -qec "$1" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b/E/g'; }
TERM=xterm-256color
export TERM
shown 'tplot 1x2xf64=1,2 --palette Greys'
shown 'tplot 1x2xf64=-1,2 --palette RdBu_r'
