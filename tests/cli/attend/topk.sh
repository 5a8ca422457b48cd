# The largest weights of each query and their keys, ties by key.
. "$SUPPORT/try.sh"
try attend --emit topk=2 --normalize none --score dot -q 1 -k 4x1xf64=0,3,1,3 -v 4x1xf64=0,0,0,0 -O csv
# Of the keys that masks leave, a weight of 0 is larger than one below it; -1 stands for keys that are left out alone.
try attend --emit topk=2 --normalize none --score dot -q 1 -k 3x1=-3,-1,0 -v 3x1=10,20,30 -O csv --no-header
try attend --emit topk=2 --normalize sum --score dot -q 1 -k 3x1=-1,0,3 -v 3x1=10,20,30 -O csv --no-header
try attend --emit topk=3 --score boxcar -q 1 -k 3x1=5,1,6 -v 3x1=1,2,3 -O csv --no-header
try attend --emit topk=3 --score dot -q 1 -k 3x1=1,1000,900 -v 3x1=10,20,30 --valid-lens 1xi64=2 -O csv --no-header
