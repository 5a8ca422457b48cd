# f16 and bf16 in storage, for what is no softmax too: within the rounding of the result.
. "$TESTDIR/qkv"
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
