# --check of what cannot agree: exit code 1, and the result is written as usual; of what is not there, nothing is written.
. "$SUPPORT/try.sh"
for reference in 3=1,2,3 1x2=1,2 2; do
  try softmax 2=0,0 --check $reference -o out.h5
  tdiff out.h5 2=0.5,0.5
  rm out.h5
done
tconv 2=1 -o one.h5:/x
tconv 2=1 -o two.h5:/x
tconv 2=1 -A -o two.h5:/other
for reference in one.h5:/nope two.h5:/nope missing.h5; do
  try softmax one.h5 --check $reference -o y.h5
  try tconv two.h5 --check $reference -o y.h5
done
