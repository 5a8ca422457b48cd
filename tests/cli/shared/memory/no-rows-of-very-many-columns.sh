# An extent of 0 beside a huge one: what would be made for each of the others is refused before it is made, or not made.
. "$SUPPORT/own-memory.sh"
shape() { # FILE SHAPE
  header=$(printf '%-117s' "{'descr': '<f4', 'fortran_order': False, 'shape': ($2), }")
  printf '\223NUMPY\001\000\166\000%s\n' "$header" >"$1"
}
shape wide.npy '0, 1099511627776'
shape tall.npy '1099511627776, 0'
shape deep.npy '2, 0, 1099511627776'
run() { # CODE COMMAND...
  expected=$1 code=0
  shift
  # shellcheck disable=SC2086,SC3045
  (ulimit -v 4000000 && timeout 10 "$@" $limit) >out 2>errors || code=$?
  [ $code -eq "$expected" ] || echo "$*: exit code $code, expected $expected: $(cat errors)"
  [ $code -eq 0 ] || [ ! -s errors ] || grep -q 'needs\|something to draw\|nothing to draw' errors || echo "$*: $(cat errors)"
}
for limit in '' '--max-memory 10M'; do
  for file in wide.npy deep.npy; do
    run 71 tconv $file -O csv
    run 71 tconv $file --split -1
    run 71 softmax $file -O csv
    run 0 posenc $file
    run 0 tconv $file
  done
  run 71 tconv tall.npy --transpose -O csv
  run 71 tconv tall.npy --split 0
  run 71 tconv 0x4294967296x4294967296x4294967296= -O csv
  run 0 posenc tall.npy
  run 0 posenc tall.npy --kind rotary
  run 0 posenc wide.npy --kind rotary
  run 0 posenc --length 0 --dim 100000000000
  run 0 posenc --length 100000000000 --dim 0
  run 71 posenc --length 1 --dim 100000000000
  run 71 posenc --length 0 --dim 100000000000 -O csv
done
limit=
run 65 tplot --curves wide.npy
# Few columns are as they were.
tconv 0x3= -O csv
