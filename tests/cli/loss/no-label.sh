# The mean of no label.
loss 2x3xf64=1,2,3,4,5,6 --target 2xi64=-100,-100
