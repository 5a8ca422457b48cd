# A sink takes its share of the softmax and pools nothing: exp(0) beside one key of score 0 halves its weight.
attend -q 0 -k 1 -v 6 --sinks 1xf64=0 -O csv
