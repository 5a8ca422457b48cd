# What each normaliser makes of the scores 1 and 3 with values 10 and 20.
for how in softmax sum none hard uniform; do
  attend --normalize $how --score dot -q 1 -k 2x1xf64=1,3 -v 2x1xf64=10,20 --precision 6 -O csv
done
