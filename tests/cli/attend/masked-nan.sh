# NaN and infinity in masked keys and values have no effect; attended, NaN stays in its row.
attend -q 2x1xf64=0,0 -k 3x1xf64=1,nan,2 -v 3x1xf64=10,inf,20 --mask 2x3xu8=1,0,1,1,1,1 -O csv
