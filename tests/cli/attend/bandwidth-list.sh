# One width for each coordinate: numbers between commas, or an operand.
attend --score gaussian --bandwidth 1,0.5 -q 2x2=1,2,3,4 -k 3x2=1,2,3,4,0,1 -v 3=1,2,3 -o a.h5
attend --score gaussian --bandwidth 2=1,0.5 -q 2x2=1,2,3,4 -k 3x2=1,2,3,4,0,1 -v 3=1,2,3 -o b.h5
tdiff a.h5 b.h5
