# Gradients have names of their own.
linear 1x2=1,2 -w 3x2=1,0,0,1,1,1 --vjp 1x3=1,1,1 -o d.h5:/other
