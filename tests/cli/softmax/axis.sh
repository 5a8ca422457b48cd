# An axis that there is not.
softmax 2=1,2 --axis 1
