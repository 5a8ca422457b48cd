# A dataset that --check names and that is not there is a missing input, and nothing is written.
tconv 2=1 -o one.h5:/x
tconv 2=1 -o two.h5:/x
tconv 2=1 -A -o two.h5:/other
for reference in one.h5:/nope two.h5:/nope missing.h5; do
  softmax one.h5 --check $reference -o y.h5 || echo $?
  tconv two.h5 --check $reference -o y.h5 || echo $?
done
[ ! -e y.h5 ]
