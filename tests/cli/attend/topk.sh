# The largest weights of each query and their keys, ties by key.
attend -q 1 -k 4x1xf64=0,3,1,3 -v 4x1xf64=0,0,0,0 --normalize none --score dot --emit topk=2 -o y.h5
tconv y.h5:/topk -O csv
tconv y.h5:/topk-keys -O csv
