# So is a pipe that ends too early.
trap 'ls -A' EXIT
tconv linspace=0,1,400 | head -c 4000 | tconv -o out.h5
