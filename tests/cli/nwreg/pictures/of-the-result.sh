# --plot draws what the result is: the derivative alone, or samples and predictions.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
cars="-x $EXAMPLES/cars.csv:/speed -y $EXAMPLES/cars.csv:/dist --bandwidth 2"
words() { grep -o '>\(derivative[a-z ]*\|prediction\|samples\|fit\|[0-9]* % band\)<' "$1" | sort; }
nwreg $cars --derivative --plot derivative.svg -o d.h5
words derivative.svg
nwreg $cars --loo --plot loo.svg -o l.h5
words loo.svg
# The kernel of samples that are read, on the terminal.
nwreg $cars --plot-kernel - --kernel biweight | grep -c biweight
# A query that is no number has no weights.
nwreg -x 2=1,2 -y 2=1,2 -q 2=1,nan --bandwidth 1 --plot-weights - --quiet | grep -c '^nan|?*|$'
