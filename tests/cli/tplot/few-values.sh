# Few values get as many bins as Sturges' rule says, whole numbers one each.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
# Bars are polygons, and the legend is off.
bars() { tplot --histogram "$@" -o bars.svg -f && grep -c '<polygon fill' bars.svg; }
bars 7=0,0,1,0,1,1,1
bars 6=1,2,3,4,5,6
bars 7=0.1,0.2,0.3,0.4,0.5,0.6,0.7
