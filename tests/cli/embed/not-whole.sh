# Ids are whole numbers.
embed 2=0,0.5 -w 2x2=1,2,3,4
