# A bias is not added to vectors.
posenc 3x2=1,2,3,4,5,6 --kind alibi --heads 2
