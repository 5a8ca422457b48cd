# Fewer values than keys.
attend -q 1x2xf64=1,2 -k 2x2xf64=1,2,3,4 -v 3x1xf64=1,2,3
