# The gradients by slopes and tables of 16 bits are not rounded to fewer bits than the cotangent has.
dy="2x3x3=$(seq -s , 0.1 0.3 5.4)"
for kind in 'alibi --alibi-slopes 2' 't5 --weights 4x2'; do
  name=${kind%% *}
  for dtype in f16 f64; do
    numbers=0.5,0.25
    [ $name = alibi ] || numbers=0.5,0.25,1,2,4,8,3,5
    posenc --kind ${kind}x$dtype=$numbers --length 3 --vjp "$dy" -o $name-$dtype.h5
  done
  tdiff $name-f16.h5 $name-f64.h5 --atol 0 --quiet
done
