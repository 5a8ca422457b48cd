# A weight is named by its prefix too, as -w takes it: the tensor `weight` below.
tconv 2x2=1,0.5,0,1 -o w.h5:/score.weight
tconv 2x2=1,0,0,1 -A -o w.h5:/other
attend 2x2=1,2,3,4 --score bilinear --m w.h5:/score.weight -o full.h5
attend 2x2=1,2,3,4 --score bilinear --m w.h5:/score --check full.h5 -o prefix.h5
attend 2x2=1,2,3,4 --score bilinear --m w.h5:/other -o other.h5
tdiff full.h5 other.h5 >differs || true
[ -s differs ]
