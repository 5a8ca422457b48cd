# Of the keys that masks leave, a weight of 0 is larger than one below it; -1 stands for keys that are left out alone.
attend --score dot --normalize none --emit topk=2 -q 1 -k 3x1=-3,-1,0 -v 3x1=10,20,30 -O csv --no-header
attend --score dot --normalize sum --emit topk=2 -q 1 -k 3x1=-1,0,3 -v 3x1=10,20,30 -O csv --no-header
attend --score boxcar --emit topk=3 -q 1 -k 3x1=5,1,6 -v 3x1=1,2,3 -O csv --no-header
attend --score dot --emit topk=3 -q 1 -k 3x1=1,1000,900 -v 3x1=10,20,30 --valid-lens 1xi64=2 -O csv --no-header
