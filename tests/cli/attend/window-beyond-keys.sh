# Queries whose window lies behind the last key have none left: zero weights, and what is around them is left alone.
attend --window 1,0 -q linspace=0,1,200 -k 4x1xf64=1,2,3,4 -v 4x1xf64=1,2,3,4 --emit weights,scores-masked -o y.h5
for name in y weights scores-masked; do
  tconv "y.h5:/$name[5:]" --no-header -O csv | sort | uniq -c | tr -s ' '
done
tconv "y.h5:/weights[0:6]" --no-header -O csv --precision 3
