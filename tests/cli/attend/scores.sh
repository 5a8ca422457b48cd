# Every score of q = (1, 2) with k = (3, 4).
score() {
  attend -q 1x2xf64=1,2 -k 1x2xf64=3,4 -v 1 --emit scores -f -o s.h5 --score "$@"
  tconv s.h5:/scores --precision 6 -O csv
}
score scaled-dot
score dot
score dot --scale 10
score cosine
score bilinear --m 2x2xf64=1,0,0,10
score additive --wq 1x2xf64=1,0 --wk 1x2xf64=0,-0.125 --wv 1xf64=3
score gaussian
score gaussian --bandwidth 2
score gaussian --bandwidth 2xf64=1,2
