# examples/train-digits.sh trains a little. 20 epochs reach 98 %, with the seed 0.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
"$EXAMPLES/train-digits.sh" trained 1 2>said | sed "s/^[0-9]*//"
head -n 1 trained/model/log.csv
tail -n 1 trained/model/log.csv | awk -F , '{ print ($4 < 2.2) }'
# A second run has nothing to train.
"$EXAMPLES/train-digits.sh" trained 1 2>said | sed "s/^[0-9]*//"
grep -c "nothing is left to do" said
head -c 4 trained/accuracy.png | tail -c 3
