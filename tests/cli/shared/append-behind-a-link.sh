# Below a link to nothing or to another file no dataset can be made: -n and the run say so in the same words, before anything is computed.
cp "$FIXTURES/hdf5/elsewhere.h5" soft.h5
chmod u+w soft.h5
cp soft.h5 before.h5
for name in nothing/new nothing/deeper/new group/other/new; do
  for run in '' -n; do
    # shellcheck disable=SC2086
    posenc --length 2 --dim 2 -A $run -o soft.h5:/$name 2>&1 || echo $?
  done
done
cmp soft.h5 before.h5
