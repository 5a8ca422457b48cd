# nwreg in shards: rows of the queries, the criterion over leaves of the samples, and sums over leaves of the samples.
posenc --length 9001 --dim 4 --base 50 -o e.h5
tconv 'e.h5[:,:2]' -o x2.h5
tconv 'e.h5[:,3]' -o y.h5
tconv 'e.h5[:,0]' -o x.h5
posenc --length 150 --dim 4 --base 7 -o f.h5
tconv 'f.h5[:,:2]' -o q2.h5
tconv 'f.h5[:,0]' -o q.h5
join() {  # the parts of a command, computed in any order
  n=$1
  shift
  rm -f part-*.h5
  for i in $(seq "$n" | sort -R); do nwreg "$@" --shard "$i/$n" -t "$((i % 2 + 1))" --quiet -o "part-$i.h5"; done
}
rows() {
  nwreg "$@" --no-history --quiet -f -o one.h5
  for n in 1 2 7; do
    join "$n" "$@"
    tmerge $(ls part-*.h5 | sort -R) --no-history -f -o merged.h5
    cmp merged.h5 one.h5 || echo "$n parts differ: $*"
  done
}
rows -x x.h5 -y y.h5 -q q.h5 --bandwidth 0.3 --emit se,band,neff --with-query
rows -x x.h5 -y y.h5 -q q.h5 --bandwidth 0.03 --kernel tricube --emit neff,weights
rows -x x2.h5 -y y.h5 -q q2.h5 --bandwidth 0.2 --kernel parabolic --degree 1 --emit se,degree,derivative
rows -x x2.h5 -y e.h5 -q q2.h5 --bandwidth knn:20 --standardize --emit band
rows -x "$EXAMPLES/iris.csv:/2,3" -y "$EXAMPLES/iris.csv:/4" -q "$EXAMPLES/iris.csv:/2,3" --classify --bandwidth cv \
  --emit probabilities --with-query

# The criterion at each width, and the best width.
curve() {
  nwreg "$@" --bandwidth cv:0.02,2,5 --emit bandwidth-curve --quiet -f -o one.h5
  for n in 1 2 3 7; do
    join "$n" "$@" --bandwidth cv:0.02,2,5 --emit bandwidth-curve
    tmerge $(ls part-*.h5 | sort -R) --quiet -f -o merged.h5
    tdiff merged.h5:/bandwidth-curve one.h5:/bandwidth-curve --ulp 0
  done
}
curve -x x.h5 -y y.h5
curve -x x2.h5 -y e.h5 --common-bandwidth --kernel triangular
tmerge part-*.h5 -f -o best.h5
nwreg -x x2.h5 -y e.h5 --kernel triangular --bandwidth best.h5:/bandwidth -q q2.h5 -f -o y1.h5
rm part-3.h5
tmerge part-*.h5 -f -o best.h5 || echo $?
tmerge --list-missing part-*.h5

# Sums over the samples: any number of parts gives the same bits, close to the fit of all samples.
sums() {
  nwreg "$@" --emit neff --quiet -f -o whole.h5
  nwreg "$@" --emit state -f -o state.h5
  tmerge state.h5 --emit se,band,neff --no-history -f -o one.h5
  tdiff one.h5:/y whole.h5:/y --rtol 1e-12 --atol 1e-12
  tdiff one.h5:/neff whole.h5:/neff --rtol 1e-12
  # What is known of the smoother is in the attributes.
  for file in one whole; do h5dump -A -d /y $file.h5 | tail -n +2 >$file.attributes; done
  cmp one.attributes whole.attributes
  for n in 1 2 3 7 64; do
    join "$n" "$@" --emit state
    tmerge $(ls part-*.h5 | sort -R) --emit se,band,neff --no-history -f -o merged.h5
    cmp merged.h5 one.h5 || echo "$n parts differ: $*"
  done
}
sums -x x.h5 -y y.h5 -q q.h5 --bandwidth 0.05
sums -x x2.h5 -y e.h5 -q q2.h5 --bandwidth 0.3,0.5 --kernel biweight
tconv 'f.h5[:,1]' --reshape 150 -f -o w.h5
sums -x 'x.h5[:150]' -y 'y.h5[:150]' --sample-weights linspace=0,2,150 -q q.h5 --kernel laplace --bandwidth 0.2
# 10 and 12 are half: the mean, its standard error sqrt(1 / 2), two samples in effect; beyond the reach nothing.
nwreg -x 2xf64=0,1 -y 2xf64=10,12 -q 2xf64=0.5,9 --kernel boxcar --bandwidth 1 --emit state -f -o state.h5
tmerge state.h5 --emit se,neff -O csv
