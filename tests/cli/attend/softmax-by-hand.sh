# Weights of scores 0 and ln 3 are 1/4 and 3/4; the log-sum-exp is ln 4.
attend -q 1 -k 2x1xf64=0,1.0986122886681098 -v 2x1xf64=4,8 --emit weights,lse -o y.h5
tconv y.h5:/y -O csv
tconv y.h5:/weights -O csv
tconv y.h5:/lse -O csv
