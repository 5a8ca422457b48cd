# A width that the heads do not divide.
attend -q 1x3xf64=1,2,3 -k 1x3xf64=1,2,3 -v 1x3xf64=1,2,3 --heads 2
