# What came in goes out: f16, bf16, f32; mixed types are the query's; --dtype says otherwise.
. "$TESTDIR/qkv"
. "$SUPPORT/try.sh"
for dtype in f16 bf16 f32 f64; do
  for name in q k v; do tconv "$X:/$name" --dtype $dtype -f -o $name.h5; done
  attend -q q.h5 -k k.h5 -v v.h5 --emit weights,lse -f -o y.h5
  tconv --list y.h5 | grep '^[lwy]'
done
attend -q "$X:/q" -k k.h5 -v v.h5 --dtype f32 -f -o y.h5
tconv --list y.h5 | grep '^y'

# Results in a wider type than the query's are not rounded to that first.
try attend --score dot -q 1x1xf16=300 -k 1x1xf16=300 -v 1x1xf16=1 --emit lse,scores --dtype f32 -O csv
try attend --score dot --normalize none -q 1x1xf16=300 -k 1x1xf16=300 -v 1x1xf16=1 --dtype f32 -O csv --no-header
try attend -q 1x1xbf16=1 -k 3x1xf32=1,2,3 -v 3x1xf32=1,2,3 --dtype f32 -O csv --no-header --precision 5
try attend -q 1x1xbf16=1 -k 3x1xf32=1,2,3 -v 3x1xf32=1,2,3 -O csv --no-header

# f16 and bf16 in storage, for what is no softmax too: within the rounding of the result.
for dtype in f16 bf16; do
  for name in q k v; do
    tconv "$X:/$name" --dtype $dtype -f -o $name.h5
    tconv $name.h5 --dtype f64 -f -o wide-$name.h5
  done
  case $dtype in f16) eps=0.001 ;; bf16) eps=0.008 ;; esac
  for how in none hard uniform; do
    attend -q wide-q.h5 -k wide-k.h5 -v wide-v.h5 --score gaussian --bandwidth 3 --normalize $how -f -o wide.h5
    attend -q q.h5 -k k.h5 -v v.h5 --score gaussian --bandwidth 3 --normalize $how -f -o y.h5
    tdiff y.h5 wide.h5 --rtol $eps --atol $eps
  done
done
