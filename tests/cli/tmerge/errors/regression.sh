# Parts of a regression: what has none, and parts that belong to another run, are refused by name.
. "$SUPPORT/try.sh"
fit() { nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -o part.h5 "$@"; }

# What there are no parts of.
try fit --shard 1/2 --bandwidth 1
try fit --shard 1/2 --bandwidth 1 --loo
try fit --shard 1/2 --bandwidth 1 -q 2 --plot fit.png
try fit --shard 1/2 --bandwidth 1 -q 2 --emit weights --sparse
try fit --shard 1/2 --bandwidth 1 -q 2 -O npy
try fit --shard 1/2 --bandwidth 1 -q 2 -A
try fit --shard 1/2 --emit bandwidth-curve
try fit --shard 1/2 --bandwidth cv:1,2,3 --emit bandwidth-curve -q 2
# Two batches.
posenc --length 3 --dim 2 >one
cat one one | try attend --shard 1/2 -o part.h5

# What does not follow from the sums over some of the samples.
try fit --emit state --bandwidth 1
try fit --emit state -q 2
try fit --emit state,se -q 2 --bandwidth 1
try fit --emit state -q 2 --bandwidth 1 --degree 1
try fit --emit state -q 2 --bandwidth knn:1
try fit --emit state -q 2 --bandwidth 1 --standardize
try fit --emit state -q 2 --bandwidth 1 --categorical c
try fit --emit state -q 2 --bandwidth 1 --ordered c=1,2,3
try fit --emit state -q 2 --bandwidth 1 --empty nearest
try fit --emit state -q 2 --bandwidth 1 --dtype f32
try fit --emit state -q 2 --bandwidth 1 -y 2xf64=1,2
# Missing values, also in a later block.
try fit --emit state -q 2 --bandwidth 1 -y 3xf64=1,nan,3
tconv --concat 0 linspace=0,1,5000 1xf64=nan linspace=0,1,3999 -o nan.h5
try fit --emit state -q 2 --bandwidth 1 -x linspace=0,1,9000 -y nan.h5
nwreg -x 3xf64=1,2,3 -y 3xf64=1,nan,3 -q 2 --bandwidth 1 --missing omit --emit state -o omit.h5
try tmerge omit.h5 --emit neff -O csv
try tmerge omit.h5 --emit lse -o y.h5

# The second of two states is of other samples.
state() { # NUMBER OPTION...
  number=$1
  shift
  nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 2 --bandwidth 1 --emit state --shard "$number/2" -f -o "$number.h5" "$@"
}
other() { state 1 && state 2 "$@" && tmerge 1.h5 2.h5 -o y.h5; }
try other --sample-weights 3xf64=1,2,3
try other --missing omit

# The second of two parts of the queries has other samples or options.
part() { # NUMBER OPTION...
  number=$1
  shift
  nwreg -x x.csv -q x.csv --bandwidth 0.3,0.5 --shard "$number/2" -f -o "$number.h5" "$@"
}
two() { # OPTIONS OPTIONS
  # shellcheck disable=SC2086
  part 1 $1 && part 2 $2 && tmerge 1.h5 2.h5 -o y.h5
}
printf 'c,x\n0,1\n1,2\n2,3\n' >x.csv
y='-y 3xf64=1,2,4'
try two "$y --bandwidth 1" "$y --bandwidth 2"
try two "$y" '-y 3xf64=1,2,5'
try two "$y --categorical c" "$y --ordered c"
try two "$y --categorical c" "$y --categorical c --engine reference"
try two "$y --ordered c=0,1,2" "$y --ordered c=2,1,0"
printf 'y\na\nb\na\n' >y1.csv
printf 'y\na\nbb\na\n' >y2.csv
try two '-y y1.csv:/y --classify' '-y y2.csv:/y --classify'
