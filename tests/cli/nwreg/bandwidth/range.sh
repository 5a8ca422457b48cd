# The search looks where the samples are: one sample far away, or one that weighs next to nothing, does not move it.
cars=$EXAMPLES/cars.csv
choose() { nwreg "$@" -o y.h5 -f 2>&1 | awk '{ print $3 }'; }
choose -x "$cars:/speed" -y "$cars:/dist"
{ cat "$cars"; echo 10000,50; } >far.csv
choose -x far.csv:/speed -y far.csv:/dist
awk -F, 'NR == 1 { print $0 ",w"; next } { print $0 ",1" } END { for (i = 0; i < 50; ++i) print 1000 + 100 * i "," i ",1e-9" }' "$cars" >light.csv
choose -x light.csv:/speed -y light.csv:/dist --sample-weights light.csv:/w
# Nor does the size of y, though its squares leave the range of doubles.
for power in 200 -200; do
  awk -F, -v p=$power 'NR > 1 { $2 = $2 "e" p } { print $1 "," $2 }' "$cars" >scaled.csv
  choose -x scaled.csv:/speed -y scaled.csv:/dist
  choose -x scaled.csv:/speed -y scaled.csv:/dist --bandwidth aicc
done
