# A mask that could be meant for heads or for batches, for queries or for batches.
attend -q 2x2x1x1xf64=1,1,1,1 -k 2x2x1x1xf64=1,1,1,1 -v 2x2x1x1xf64=1,1,1,1 --mask 2x1x1xu8=1,1 || echo $?
attend -q 2x2x1xf64=1,1,1,1 -k 2x1x1xf64=1,1 -v 2x1x1xf64=1,1 --mask 2x1xu8=1,1 || echo $?
softmax 2x2x1xf64=1,1,1,1 --mask 2x1xu8=1,1 || echo $?
