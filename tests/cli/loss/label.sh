# A label that the logits do not have.
loss 2x3xf64=1,2,3,4,5,6 --target 2xi64=1,3
