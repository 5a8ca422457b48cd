# --slab of a literal, or of an input that is not read, would do nothing: a mistake.
linear 2x2=1,2,3,4 -w 2x2=1,0,0,1 --slab input=0:1 -O csv || echo "exit $?"
tconv 2x2=1,2,3,4 -o x.h5
linear x.h5 -w 2x2=1,0,0,1 --slab b=0:1 -o y.h5 || echo "exit $?"
linear x.h5 -w 2x2=1,0,0,1 --slab input=0:1 | tdiff - 1x2=1,2
