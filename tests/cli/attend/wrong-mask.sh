# A mask that does not broadcast.
attend -q 1x2xf64=1,2 -k 2x2xf64=1,2,3,4 -v 2x1xf64=1,2 --mask 1x3xu8=1,1,1
