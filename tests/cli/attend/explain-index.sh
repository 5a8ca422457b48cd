# An index that is no query is refused.
attend --explain 4 -q 1x2xf64=1,2 -k 3x2xf64=1,0,0,1,5,5 -v 3x2xf64=10,1,20,2,30,3
