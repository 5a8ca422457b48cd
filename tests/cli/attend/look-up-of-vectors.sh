# Vectors are looked up exactly, and by the score with --nearest; numbers come out as numbers.
attend --normalize hard -q 1x2xf64=3,4 -k 2x2xf64=1,2,3,4 -v str=one,two
attend --normalize hard --nearest --score gaussian -q 1x2xf64=1,2.5 -k 2x2xf64=1,2,3,4 -v str=one,two
attend --normalize hard -q str=b,a -k str=a,b -v 2x1xf64=10,20 -O csv
attend --normalize hard -q 2xf64=3,1 -k 3x1xf64=1,2,3 -v str=x,y,z
attend --normalize hard -q 2 -k 3xf64=1,2,3 -v str=x,y,z
attend --normalize hard --nearest --score gaussian -q 2.2 -k 3xf64=1,2,3 -v str=x,y,z
