# --empty nearest takes the value of the nearest key, also where a scale turns the order of the weights round.
attend --score boxcar -q 2x1xf64=0,9 -k 2x1xf64=0,4 -v 2x1xf64=10,20 -O csv --empty nearest
attend --score boxcar --scale=-1 -q 2x1xf64=0,9 -k 2x1xf64=0,4 -v 2x1xf64=10,20 -O csv --empty nearest
