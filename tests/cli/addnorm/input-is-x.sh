# The x beside the input is what it was given; where the input is the x itself, nothing stands beside it.
tconv 2x2=1,2,3,4 -o in.h5:/x
for input in in.h5 in.h5:/x; do
  if addnorm --no-norm "$input" -O csv; then echo "exit 0"; else echo "exit $?"; fi
done
if addnorm --no-norm <in.h5 -O csv; then echo "exit 0"; else echo "exit $?"; fi
addnorm --no-norm in.h5 -r in.h5 -O csv
