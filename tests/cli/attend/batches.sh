# A batch is its slices, bit for bit.
. "$TESTDIR/qkv"
pool --causal -o whole.h5 -O h5
for batch in 0 1; do
  attend -q "$X:/q[$batch:$((batch + 1))]" -k "$X:/k[$batch:$((batch + 1))]" -v "$X:/v[$batch:$((batch + 1))]" --causal -O csv >slice.csv
  tconv "whole.h5:/y[$batch:$((batch + 1))]" -O csv | cmp - slice.csv
done
