# The report names the worst element beyond the tolerance, and counts how far apart the others are.
tdiff 2x2=1,2,3,4 2x2=1,2.5,3,4.0001
