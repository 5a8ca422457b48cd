# A norm of another width.
addnorm --no-residual 1x2=1,2 -w 3=1,2,3
