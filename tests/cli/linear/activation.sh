# An unknown activation.
linear 2=1,2 -w 2x2=1,2,3,4 --activation prelu
