# --no-header writes numbers and nothing else.
printf 'x,y\n1,2\n3,4\n5,7\n' >p.csv
tconv p.csv:/x -o p.h5:/v
echo "-- scalar"
tconv 'p.h5:/v[1]' -O csv --no-header
tconv 'p.h5:/v[1,0]' -O csv --no-header
echo "-- vector"
tconv 'p.h5:/v[:,0]' -O csv --no-header
echo "-- three axes"
tconv 2x1x2=1,2,3,4 -O csv --no-header
softmax 2x1x2=0 -O csv --no-header
echo "-- words and large numbers"
tconv 2xstr=007,a -O csv --no-header
tconv 1xi64=9007199254740993 -O tsv --no-header
echo "-- no rows"
tconv 0x2=1 -O csv --no-header
