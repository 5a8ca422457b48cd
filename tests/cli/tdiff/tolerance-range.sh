# A tolerance below zero, NaN or infinite would call anything equal or nothing: refused, by --check too.
for value in -1 nan inf -0.5e-3 words; do
  for option in --rtol --atol; do
    code=0
    tdiff 1 1 $option $value || code=$?
    [ $code -eq 2 ] || echo "tdiff $option $value: exit code $code"
  done
done
code=0
tconv 1 --check 1 --atol -1 >none || code=$?
[ $code -eq 2 ] || echo "--check --atol -1: exit code $code"
tdiff 1 1 --rtol 0 --atol 0
