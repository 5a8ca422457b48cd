# Keys of another width than the queries.
attend -q 1x2xf64=1,2 -k 2x3xf64=1,2,3,4,5,6 -v 2x1xf64=1,2
