# A few steps of each loop of examples/learn-attention.sh. After 60 steps the losses are those of PyTorch 2.9.1 with the
# same optimiser: 596.2791710141393, 0.07418836422795, 0.11161079763420.
command -v gnuplot >/dev/null || { echo "gnuplot is not installed" >&2; exit 77; }
"$EXAMPLES/learn-attention.sh" learned 4
head -c 4 learned/learned.png | tail -c 3
