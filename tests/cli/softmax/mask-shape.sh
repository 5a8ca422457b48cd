# A mask that does not broadcast.
softmax 2=1,2 --mask 3xbool=1,0,1
