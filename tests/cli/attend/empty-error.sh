# --empty error refuses.
attend --score boxcar -q 2x1xf64=0,9 -k 2x1xf64=0,4 -v 2x1xf64=10,20 -O csv --empty error
