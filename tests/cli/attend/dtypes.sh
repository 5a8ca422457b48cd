# What came in goes out: f16, bf16, f32; mixed types are the query's; --dtype says otherwise.
. "$TESTDIR/qkv"
for dtype in f16 bf16 f32 f64; do
  for name in q k v; do tconv "$X:/$name" --dtype $dtype -f -o $name.h5; done
  attend -q q.h5 -k k.h5 -v v.h5 --emit weights,lse -f -o y.h5
  tconv --list y.h5 | grep '^[lwy]'
done
attend -q "$X:/q" -k k.h5 -v v.h5 --dtype f32 -f -o y.h5
tconv --list y.h5 | grep '^y'
