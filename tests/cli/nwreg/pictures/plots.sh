# Pictures of each kind begin as their format does; an existing one is refused.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
cars="-x $EXAMPLES/cars.csv:/speed -y $EXAMPLES/cars.csv:/dist --bandwidth 2"
nwreg $cars --plot fit.png --plot-weights weights.svg -o y.h5
nwreg --plot-kernel kernels.pdf
head -c 4 fit.png | tail -c 3
echo
grep -c '<svg' weights.svg
head -c 4 kernels.pdf
echo
nwreg $cars --plot fit.png -o z.h5 || echo $?
nwreg $cars --plot fit.gif -o z.h5 || echo $?
nwreg $cars --plot - | grep -c fit
# Classes go by their labels.
nwreg -x "$EXAMPLES/iris.csv:/2" -y "$EXAMPLES/iris.csv:/4" --classify --bandwidth 0.3 --plot - | grep -o 'fit versicolor'
# Outputs go by their columns, each in one colour; a band has gaps where no sample is in reach.
air=$EXAMPLES/airquality.csv
nwreg -x "$air:/Wind" -y "$air:/Temp,Ozone" --bandwidth 1 --plot two.svg -o two.h5
grep -o 'fit [A-Z][a-z]*' two.svg
nwreg -x "$air:/Wind" -y "$air:/Ozone" --kernel boxcar --bandwidth 0.6 --plot gaps.svg -o gaps.h5 --quiet
grep -c '<polygon' gaps.svg
# Each category has a curve; two columns of x have contours; many points become a density.
nwreg -x "$EXAMPLES/iris.csv:/2,4" -y "$EXAMPLES/iris.csv:/3" --bandwidth 0.5,0.2 --plot groups.svg -o groups.h5
grep -o '>fit [a-z]*' groups.svg
nwreg -x "$air:/Wind,Temp" -y "$air:/Ozone" --bandwidth 2,5 --plot contours.svg -o contours.h5 --quiet
grep -c '>Temp<' contours.svg
nwreg -x "$air:/Wind,Temp" -y "$air:/Ozone" --bandwidth 2,5 --plot - -o contours.h5 -f --quiet | grep -c '^ *97|'
# A constant column has no contours.
nwreg -x 3x2=1,5,2,5,4,5 -y 3=1,2,3 --bandwidth 1 --plot constant.svg -o constant.h5 || echo $?
# There is a colour for each of seven groups; predictions are crosses beside the dots of the samples.
{ echo size,kind,y; for i in $(seq 0 23); do echo "$i,$(printf %s abcdefgh | cut -c$((i % 8 + 1))),$i"; done; } >eight.csv
nwreg -x eight.csv:/size,kind -y eight.csv:/y --bandwidth 3,0.2 --loo --plot eight.svg -o eight.h5
grep -c '>prediction [a-h]<' eight.svg
[ "$(grep -c "#gpPt1'" eight.svg)" -ge 21 ] && [ "$(grep -c "#gpPt6'" eight.svg)" -ge 21 ] && echo crosses and dots
nwreg -x linspace=0,1,60000 -y linspace=0,1,60000 --bandwidth 0.1 --plot many.svg -o many.h5
[ "$(wc -c <many.svg)" -lt 200000 ] && grep -o '>samples<' many.svg
# Kernels are drawn all, the band is in the legend, and on the terminal both its borders are.
nwreg --plot-kernel kernels.svg
grep -o '>\(constant\|triangular[^<]*\)<' kernels.svg
nwreg $cars --level 0.9 --plot - -o band.h5 | grep -o '90 % band'
nwreg -x linspace=0,9,10 -y 10xf64=0,2,0,2,0,2,0,2,0,2 --bandwidth 5 --plot - --plot-size 60x20 -o flat.h5 | grep -c '\.\.\.\.'
