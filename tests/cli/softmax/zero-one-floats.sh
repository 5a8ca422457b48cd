# A float mask of nothing but 0 and 1 is refused unless its type is said.
softmax 2=1,2 --mask 2=0,1
