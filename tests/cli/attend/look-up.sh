# A look-up prints the value of a key, a line for each query.
. "$SUPPORT/try.sh"
cp "$EXAMPLES/names.csv" .
name() { attend --normalize hard -k names.csv:/last -v names.csv:/first "$@"; }
# Text finds the equal key, or with --nearest the key with the smallest edit distance.
try name -q str=Smith
try name -q str=Sato,Kim
try name --nearest -q str=Smyth,Satou
# A key that is not there is an empty line and exit code 1.
try name -q str=Smyth,Smith

# Numbers and vectors are looked up exactly, or by the score with --nearest. NaN comes near to nothing.
try attend --normalize hard -q 2 -k 3xf64=1,2,3 -v str=x,y,z
try attend --normalize hard -q 2xf64=3,1 -k 3x1xf64=1,2,3 -v str=x,y,z
try attend --normalize hard -q 1x2xf64=3,4 -k 2x2xf64=1,2,3,4 -v str=one,two
try attend --normalize hard --nearest --score gaussian -q 2.2 -k 3xf64=1,2,3 -v str=x,y,z
try attend --normalize hard --nearest --score gaussian -q 1x2xf64=1,2.5 -k 2x2xf64=1,2,3,4 -v str=one,two
try attend --normalize hard --nearest --score gaussian -q 2=nan,2 -k 3=1,2,3 -v str=a,b,c
# Numbers that are found come out as numbers.
try attend --normalize hard -q str=b,a -k str=a,b -v 2x1xf64=10,20 -O csv

# Values are a row for each key.
try attend --normalize hard -q str=c -k str=a,b,c -v str=u,v -O csv
try attend --normalize hard -q str=b -k str=b -v 2=1,2 -O csv
try attend --normalize hard -q str=b -k str=a,b -v 1x2x2=1,2,3,4 -O csv
try attend --normalize hard -q 3=1,2,3 -k 3=1,2,3 -v str=u,v -O csv
try attend --normalize hard -q 3=1,2,3 -k 3=1,2,3 -v str=u,v --nearest -O csv
try attend --normalize hard -q 1x3x1=1,2,3 -k 1x3x1=1,2,3 -v str=u,v,w --nearest -O csv
