# --check-grad agrees with the gradients of every kind of score, of masks and of biases.
tconv linspace=-1,1.3,40 --reshape 2,5,4 -o q.h5
tconv linspace=1.1,-0.8,48 --reshape 2,6,4 -o k.h5
tconv linspace=0.3,-1,36 --reshape 2,6,3 -o v.h5
stage() {
  "$@" --check-grad 3 --threads 1 --quiet >errors || { echo "$*" && cat errors; }
  sed 's, [0-9. e+-]*$,,' errors | paste -sd ' '
}
check() { stage attend -q q.h5 -k k.h5 -v v.h5 "$@"; }
check --causal --softcap 2 --bias 5x6=1,2,3,4,5,6,0,1,0,1,0,1,2,2,2,2,2,2,1,2,3,3,2,1,0,0,0,1,1,1
check --score cosine --scale 3 --sinks 1=0.5 --mask 6xf64=0.5,-inf,1,0,2,1
check --score bilinear --m 4x4=1,0,2,0,0,1,0,1,1,1,1,0,0,2,0,1 --valid-lens 2xi64=4,6
check --score additive --wq 2x4=1,0,2,0,0,1,0,1 --wk 2x4=1,1,1,0,0,2,0,1 --wv 2=1,-2
check --score gaussian --bandwidth 1,2,0.5,1
check --score tricube --bandwidth 3 --window 2,2
# The same from a file, where one tensor serves twice, and at kinks, where differences show nothing.
tconv 1=0.5 -o p.h5:/sinks
tconv 4x4=1,0,2,0,0,1,0,1,1,1,1,0,0,2,0,1 -A -o p.h5:/m
tconv 2x4=1,0,2,0,0,1,0,1 -A -o p.h5:/wq
tconv 2=1,-2 -A -o p.h5:/wv
tconv 0.7 -A -o p.h5:/h
check --sinks p.h5:/sinks
check --score bilinear --m p.h5:/m
check --score additive --wq p.h5:/wq --wk p.h5:/wq --wv p.h5:/wv
check --score gaussian --bandwidth p.h5:/h
stage nwreg -x q.h5:/y[0,:,0] -y q.h5:/y[0,:,1] -q q.h5:/y[1,:,0] --bandwidth p.h5:/h
stage posenc --kind alibi --slopes p.h5:/wv --length 3
stage linear p.h5:/m -w p.h5:/m -b p.h5:/m[0]
stage nwreg -x 5xf64=1,2,3,4,5 -y 5xf64=1,3,2,5,4 --kernel triangular --bandwidth 1
