# Every method gives the twin's result; --verbose says which was taken; the wrong one for a kernel is refused.
cars="-x $EXAMPLES/cars.csv:/speed -y $EXAMPLES/cars.csv:/dist -q linspace=3,26,24"
nwreg $cars --kernel cosine-kernel --bandwidth 3 --engine reference -o twin.h5
for method in auto direct window tree; do
  nwreg $cars --kernel cosine-kernel --bandwidth 3 --method $method -o $method.h5
  tdiff $method.h5:/y twin.h5:/y --rtol 1e-12
done
nwreg $cars --bandwidth 3 --method series --verbose -o series.h5 2>&1 | grep -c 'method series'
# A line has no slope where all samples of a window are at one place.
nwreg $cars --bandwidth 1.5 --degree 1 --kernel parabolic --method window --verbose -o y.h5 2>&1 | grep -o '[0-9]* of 24 windows from.*'
nwreg $cars --kernel cosine-kernel --bandwidth 3 --method series -o none.h5 || echo $?
nwreg $cars --kernel laplace --bandwidth 3 --method tree -o none.h5 || echo $?
