# A float mask of nothing but 0 and 1 is refused: it was boolean once.
attend -q 1 -k 2x1xf64=1,2 -v 2x1xf64=1,2 --mask 1x2xf64=1,0
