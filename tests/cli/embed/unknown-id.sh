# An id that the table does not have.
embed 3xi64=0,4,1 -w 2x2=1,2,3,4
