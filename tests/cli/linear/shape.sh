# Inputs of another width.
linear 2x3=1,2,3,4,5,6 -w 2x2=1,2,3,4
