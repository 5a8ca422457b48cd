# A residual of another shape.
addnorm 1x2=1,2 --residual 1x3=1,2,3
