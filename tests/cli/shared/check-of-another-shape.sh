# A result of another shape than --check names differs: exit code 1, and it is written as usual.
for reference in 3=1,2,3 1x2=1,2 2; do
  code=0
  softmax 2=0,0 --check $reference -f -o out.h5 || code=$?
  [ $code -eq 1 ] || echo "$reference: exit code $code"
  tdiff out.h5 2=0.5,0.5
  rm out.h5
done
