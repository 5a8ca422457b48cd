# A score of nothing is 0: all keys weigh the same.
attend -q 2x0xf64= -k 3x0xf64= -v 3x1xf64=1,2,6 -O csv
