# What is too large is refused before it is allocated.
header=$(printf '%-117s' "{'descr': '<f4', 'fortran_order': False, 'shape': (2000, 1000000), }")
printf '\223NUMPY\001\000\166\000%s\n' "$header" >big.npy
truncate -s 8000000128 big.npy
refused() {
  code=0
  timeout 10 "$@" --max-memory 10M -o y.h5 2>errors || code=$?
  [ $code -eq 71 ] || echo "$*: exit code $code"
  grep -o 'needs.* are allowed' errors
}
refused tconv big.npy --dtype i64
refused tconv big.npy --concat 0 big.npy[:1]
refused tconv big.npy --stack 0 big.npy
refused softmax big.npy --axis 0
refused addnorm --no-residual big.npy --axis 0
refused linear 1x1000000xf32=1 -w big.npy
refused embed --logits 1x1000000xf32=1 -w big.npy --dtype f64
[ ! -e y.h5 ]
# A stream of nothing is no text, however long it is.
timeout 10 tconv --list /dev/zero || echo $?
timeout 10 head -c 2000000000 /dev/zero | timeout 10 tconv --list || echo $?
