# A temperature that is not positive.
softmax 2=1,2 --temperature 0
