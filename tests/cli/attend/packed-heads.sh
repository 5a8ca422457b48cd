# Packed heads are the heads apart: (B, L, H * d) in, (B, L, H * d_v) out.
. "$TESTDIR/qkv"
attend -q "$X:/q_packed" -k "$X:/k_packed" -v "$X:/v_packed" --heads 4 --kv-heads 2 -o packed.h5
pool -O h5 -o apart.h5
for batch in 0 1; do
  for head in 0 1 2 3; do
    attend -q "$X:/q[$batch,$head]" -k "$X:/k[$batch,$((head / 2))]" -v "$X:/v[$batch,$((head / 2))]" -O csv >alone.csv
    tconv "packed.h5:/y[$batch,:,$((5 * head)):$((5 * head + 5))]" -O csv >packed.csv
    tconv "apart.h5:/y[$batch,$head]" -O csv >apart.csv
    cmp alone.csv packed.csv
    cmp alone.csv apart.csv
  done
done
