# NaN comes near to nothing.
attend --normalize hard --nearest --score gaussian -q 2=nan,2 -k 3=1,2,3 -v str=a,b,c
