# A curve goes from the smallest x to the largest, whatever the order of the rows; what has no neighbour is a point.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
places() { tr '\n' ' ' <"$1" | grep -o "<path stroke='rgb(  0, 114, 178)'  *d='[^']*'" | tr 'ML' '\n\n' | sed -n 's/^\([0-9.]*\),.*/\1/p'; }
tplot -x 6xf64=5,0,3,1,4,2 6xf64=1,2,3,4,5,6 -o curve.svg
places curve.svg >places
sort -n places | cmp - places
# A search for a bandwidth tries them out of order.
nwreg -x "$EXAMPLES/cars.csv:/speed" -y "$EXAMPLES/cars.csv:/dist" --emit bandwidth-curve -o search.h5 --quiet
tplot --quiet -x 'search.h5:/bandwidth-curve[:,0]' 'search.h5:/bandwidth-curve[:,1]' -o search.svg
places search.svg >places
sort -n places | cmp - places
[ "$(wc -l <places)" -gt 10 ] || echo "no curve"
for values in 1xf64=3 5xf64=3,nan,4,nan,6; do
  tplot --curves $values -o lone.svg -f
  grep -c "<use .*transform='translate" lone.svg
done
