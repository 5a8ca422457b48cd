# A learned table with fewer rows than there are positions.
posenc 3x2=1,2,3,4,5,6 --kind learned -w 2x2=1,2,3,4
