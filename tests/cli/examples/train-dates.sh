# examples/train-dates.sh makes its data, trains a little, and tries the model.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
"$EXAMPLES/train-dates.sh" trained 2 400 2>said
head -n 2 trained/train.tsv
wc -l <trained/model/log.csv
head -c 4 trained/losses.png | tail -c 3
