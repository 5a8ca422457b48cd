# A rotary width must be even.
posenc --kind rotary 1x1x2x3=1,2,3,4,5,6
