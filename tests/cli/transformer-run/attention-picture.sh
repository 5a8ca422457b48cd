# The example that draws the cross-attention of a date makes a PNG.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
"$EXAMPLES/attention.sh" maps.png
head -c 4 maps.png | tail -c 3
