# From a CSV file to a report with a picture.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
"$EXAMPLES/report.sh" folder
cat folder/report.md
head -c 4 folder/ozone.png | tail -c 3
