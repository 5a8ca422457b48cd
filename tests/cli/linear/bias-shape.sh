# A bias of another length.
linear 2=1,2 -w 2x2=1,2,3,4 -b 3=1,2,3
