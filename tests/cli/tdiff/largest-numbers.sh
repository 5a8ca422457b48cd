# Between the largest numbers no difference is infinite: they are compared as others are.
tdiff 1=1e308 1=-1e308 --rtol 5 && echo equal
tdiff 1=1e308 1=-1e308 --rtol 1.5 || echo $?
tdiff 1=1e308 1=-1e308 --json | grep max_ || true
tdiff 2=1e308,1 2=-1e308,inf --json | grep max_ || true
tconv 1=-1.7e308 -o low.h5
tconv 1=1.7e308 --check low.h5 --rtol 2 -O csv
