# The type of a mask that there is not.
softmax 2=1,2 --mask-type boolean
