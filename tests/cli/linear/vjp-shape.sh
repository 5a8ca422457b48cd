# A cotangent of another shape.
linear 1x2=1,2 -w 3x2=1,0,0,1,1,1 --vjp 1x2=1,1
