# What has no parts is refused.
refused() { nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 "$@" -f -o part.h5 || echo $?; }
refused --shard 1/2 --bandwidth 1
refused --shard 1/2 --bandwidth 1 --loo
refused --shard 1/2 --bandwidth 1 -q 2 --plot fit.png
refused --shard 1/2 --bandwidth 1 -q 2 --emit weights --sparse
refused --shard 1/2 --bandwidth 1 -q 2 -O npy
refused --shard 1/2 --emit bandwidth-curve
refused --shard 1/2 --bandwidth cv:1,2,3 --emit bandwidth-curve -q 2
refused --emit state --bandwidth 1
refused --emit state -q 2
refused --emit state,se -q 2 --bandwidth 1
refused --emit state -q 2 --bandwidth 1 --degree 1
refused --emit state -q 2 --bandwidth knn:1
refused --emit state -q 2 --bandwidth 1 --standardize
refused --emit state -q 2 --bandwidth 1 --categorical c
refused --emit state -q 2 --bandwidth 1 --ordered c=1,2,3
refused --emit state -q 2 --bandwidth 1 --empty nearest
refused --emit state -q 2 --bandwidth 1 --dtype f32
refused --shard 1/2 -q 2 --bandwidth 1 -A
nwreg -x 3xf64=1,2,3 -y 2xf64=1,2 -q 2 --bandwidth 1 --emit state -o part.h5 || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,nan,3 -q 2 --bandwidth 1 --emit state -o part.h5 || echo $?
tconv --concat 0 linspace=0,1,5000 1xf64=nan linspace=0,1,3999 -o nan.h5
nwreg -x linspace=0,1,9000 -y nan.h5 -q 2 --bandwidth 1 --emit state -o part.h5 || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,nan,3 -q 2 --bandwidth 1 --missing omit --emit state -o part-1.h5
tmerge part-1.h5 --emit neff -O csv
tmerge part-1.h5 --emit lse -o y.h5 || echo $?
# Samples with weights and without.
for i in 1 2; do nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 2 --bandwidth 1 --emit state --shard $i/2 -f -o part-$i.h5; done
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 2 --bandwidth 1 --sample-weights 3xf64=1,2,3 --emit state --shard 2/2 -f -o part-2.h5
tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
# Two batches have no parts.
posenc --length 3 --dim 2 >one
cat one one | attend --shard 1/2 -o part.h5 || echo $?
# Other samples, another bandwidth and another kind of part.
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 2xf64=1,2 --bandwidth 1 --shard 1/2 -f -o part-1.h5
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 2xf64=1,2 --bandwidth 2 --shard 2/2 -f -o part-2.h5
tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,5 -q 2xf64=1,2 --bandwidth 1 --shard 2/2 -f -o part-2.h5
tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
# Options that part 2 has and part 1 lacks.
part() { nwreg -x x.csv -y "$1" -q x.csv --bandwidth 0.3,0.5 --shard "$2" $3 -f -o "$4"; }
printf 'c,x\n0,1\n1,2\n2,3\n' >x.csv
part 3xf64=1,2,4 1/2 '--categorical c' part-1.h5
for options in '--ordered c' '--categorical c --engine reference'; do
  part 3xf64=1,2,4 2/2 "$options" part-2.h5
  tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
done
part 3xf64=1,2,4 1/2 '--ordered c=0,1,2' part-1.h5
part 3xf64=1,2,4 2/2 '--ordered c=2,1,0' part-2.h5
tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
# Other names of labels, and words of options in messages.
printf 'y\na\nb\na\n' >y1.csv
printf 'y\na\nbb\na\n' >y2.csv
for i in 1 2; do part y$i.csv:/y $i/2 --classify part-$i.h5; done
tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
state() { nwreg -x 3xf64=1,2,3 -y 3xf64=1,2,4 -q 2 --bandwidth 1 --emit state "$@"; }
state --shard 1/2 -f -o part-1.h5
state --shard 2/2 --missing omit -f -o part-2.h5
tmerge part-1.h5 part-2.h5 -o y.h5 || echo $?
