# Without --bandwidth: leave-one-out, said on standard error, in attributes and as the curve that was searched.
nwreg -x "$EXAMPLES/faithful.csv:/eruptions" -y "$EXAMPLES/faithful.csv:/waiting" --emit bandwidth-curve -o y.h5
tconv --list y.h5 | grep -e @bandwidth
# faithful has two minima: the curve's smallest value is the one taken, to the digits that it can tell.
tconv y.h5:/bandwidth-curve -O csv --no-header | sort -t, -g -k2 | head -n 1 | awk -F, '{ printf "%.6f %.6f\n", $1, $2 }'
tconv y.h5:/bandwidth-curve -O csv --no-header | awk -F, '{ v[NR] = $2; h[NR] = $1 } END { for (i = 2; h[i+1] > h[i]; ++i) if (v[i] < v[i-1] && v[i] < v[i+1]) n++; print n " minima" }'
