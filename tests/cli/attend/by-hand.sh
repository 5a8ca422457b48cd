# Attention that can be checked on paper.
. "$SUPPORT/try.sh"

# Every score of q = (1, 2) with k = (3, 4).
score() {
  attend -q 1x2xf64=1,2 -k 1x2xf64=3,4 -v 1 --emit scores -f -o s.h5 --score "$@"
  tconv s.h5:/scores --precision 6 -O csv --no-header
}
try score scaled-dot
try score dot
try score dot --scale 10
try score cosine
try score bilinear --m 2x2xf64=1,0,0,10
try score additive --wq 1x2xf64=1,0 --wk 1x2xf64=0,-0.125 --wv 1xf64=3
try score gaussian
try score gaussian --bandwidth 2
try score gaussian --bandwidth 2xf64=1,2

# Every smoothing kernel as a weight, at distance 1/2 of its width. epanechnikov is what the literature on attention
# means by the name, and a note says so.
kernel() { attend --bandwidth 2 --normalize none -q 1 -k 0 -v 1 --precision 6 -O csv --no-header --score "$@"; }
for name in boxcar triangular parabolic biweight triweight tricube cosine-kernel laplace constant gaussian; do
  try kernel $name
done
try kernel epanechnikov
try kernel epanechnikov --quiet

# What each normaliser makes of the scores 1 and 3 with the values 10 and 20.
for how in softmax sum none hard uniform; do
  try attend --normalize $how --score dot -q 1 -k 2x1xf64=1,3 -v 2x1xf64=10,20 --precision 6 -O csv --no-header
done

# Weights of the scores 0 and ln 3 are 1/4 and 3/4; the log-sum-exp is ln 4.
try attend -q 1 -k 2x1xf64=0,1.0986122886681098 -v 2x1xf64=4,8 --emit weights,lse -O csv
# A sink takes its share of the softmax and pools nothing: exp(0) beside one key of score 0 halves its weight.
try attend -q 0 -k 1 -v 6 --sinks 1xf64=0 -O csv
# A softcap bends scores between scale and mask: c tanh(s / c).
try attend --score dot --softcap 2 -q 3 -k 1 -v 1 --bias 1x1xf64=5 --emit scores,scores-softcap,scores-masked \
  --precision 6 -O csv
# NaN and infinity in masked keys and values have no effect; attended, NaN stays in its row.
try attend -q 2x1xf64=0,0 -k 3x1xf64=1,nan,2 -v 3x1xf64=10,inf,20 --mask 2x3xu8=1,0,1,1,1,1 -O csv
# A score of nothing is 0: all keys weigh the same.
try attend -q 2x0xf64= -k 3x0xf64= -v 3x1xf64=1,2,6 -O csv
# A list is queries of width 1; one number is one query.
try attend -q linspace=0,2,3 -k 3x1xf64=0,1,2 -v 3x1xf64=10,20,30 --normalize hard --score gaussian -O csv --no-header
try attend -q 2 -k 3x1xf64=0,1,2 -v 3x1xf64=10,20,30 --normalize hard --score gaussian -O csv
# A key that is the query, among many coordinates and far from 0 for the bandwidth.
near=1000,1000,1000,1000
try attend --score gaussian --bandwidth 1000 --normalize hard --emit scores -O csv --no-header -q 1x8xf32=1000 \
  -k 3x8xf32=1000.5,1000,1000,1000,$near,$near,$near,$near,1000.25,1000,1000,1000.125 -v 3x1xf32=1,2,3
