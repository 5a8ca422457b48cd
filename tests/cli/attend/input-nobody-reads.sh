# An INPUT beside all of -q, -k and -v would be read by nobody.
attend -q 2x2=1,2,3,4 -k 3x2=1,2,3,4,5,6 -v 3x1=1,2,3 nowhere.h5 -O csv
