# What is masked has the gradient 0, also a row with nothing left; NaN behind a mask changes nothing. The gradient of a
# mask of floats is summed where the mask is repeated.
softmax 2x3xf64=1,nan,2,1,2,nan --mask 2x3xbool=1,0,1,0,0,0 --vjp 2x3=1,nan,3,1,2,3 --precision 4 -O csv --no-header
softmax 2x3xf64=1,nan,2,1,2,nan --mask 2x3xbool=1,0,1,0,0,0 --vjp 2x3=1,nan,3,1,2,3 --log --precision 4 -O csv --no-header
softmax 2x3xf64=1,2,4,0,1,1 --mask 3=0,-inf,1 --vjp 2x3=1,2,3,4,5,6 -o d.h5
for name in dx dmask; do tconv d.h5:/$name --precision 4 -O csv --no-header; done
softmax 2x3xf64=1,2,4,0,1,1 --mask 2x3=0,-inf,1,0,-inf,1 --vjp 2x3=1,2,3,4,5,6 -o full.h5
tdiff d.h5:/dx full.h5:/dx
