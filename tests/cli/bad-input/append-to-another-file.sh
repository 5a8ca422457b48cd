# Nothing is written into the file that a link leads to, and -n says so as the run does; the link itself can be replaced.
posenc --length 1 --dim 2 -o other.h5:/g/y
tconv 2=1,2 -A -o other.h5:/q/y
cp "$FIXTURES/hdf5/elsewhere.h5" .
chmod u+w ./*.h5
cp elsewhere.h5 before.h5
cp other.h5 other-before.h5
for name in other/new group/other/y group/other/new/deeper through/new; do
  for run in '' -n; do
    # shellcheck disable=SC2086
    tconv 2=7,8 -A -f $run -o elsewhere.h5:/$name 2>&1 || echo $?
  done
done
cmp elsewhere.h5 before.h5
for name in other group/other; do
  tconv 2=7,8 -A -o elsewhere.h5:/$name 2>&1 || echo $?
  tconv 2=7,8 -A -f -o elsewhere.h5:/$name
  tdiff elsewhere.h5:/$name 2=7,8
done
cmp other.h5 other-before.h5
