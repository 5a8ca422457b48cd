# No residual beside the input.
linear 1x2=1,2 -w 2x2=1,0,0,1 -o y.h5
addnorm y.h5
