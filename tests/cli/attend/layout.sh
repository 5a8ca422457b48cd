# Three axes are batches unless --layout says heads: what a mask of heads shows.
. "$TESTDIR/qkv"
attend -q "$X:/q[0]" -k "$X:/k[0]" -v "$X:/v[0]" --layout heads-first --bias "$X:/bias[0]" -O csv >heads.csv
attend -q "$X:/q[0:1]" -k "$X:/k[0:1]" -v "$X:/v[0:1]" --bias "$X:/bias" -o four.h5
tconv four.h5:/y[0] -O csv >four.csv
cmp heads.csv four.csv

# One database (S, d) serves queries of any rank.
attend -q "$X:/q[0]" -k "$X:/k[0,0]" -v "$X:/v[0,0]" -O csv >three.csv
attend -q "$X:/q[0:1]" -k "$X:/k[0,0]" -v "$X:/v[0,0]" -f -o four.h5
tconv four.h5:/y[0] -O csv | cmp - three.csv

# Packed heads are the heads apart: (B, L, H * d) in, (B, L, H * d_v) out.
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

# Heads are never taken for batches or positions if shapes show that they cannot be: the error names the layout.
. "$SUPPORT/try.sh"
cp "$X" x.h5
tconv "$X:/q" --axes 0,2,1,3 -o q.h5
tconv "$X:/k" --axes 0,2,1,3 -o k.h5
try attend -q x.h5:/q[0] -k x.h5:/k[0] -v x.h5:/v[0]
try attend -q q.h5 -k q.h5 -v q.h5 --heads 4
try attend -q q.h5 -k k.h5 -v k.h5
