# Columns of words are categories, beside numbers and alone; integers too, if asked for.
printf 'g,k,x,y\na,1,1,2\nb,2,2,3\na,1,3,4\nb,4,4,7\nc,1,5,6\n' >d.csv
try() { code=0; nwreg "$@" -y d.csv:/y -O csv --precision 5 2>&1 || code=$?; [ $code -eq 0 ] || echo "exit $code"; }
try -x d.csv:/g,x --bandwidth 0.3,2 --with-query --emit band
try -x d.csv:/g --bandwidth 0.5
# At the ends of lambda: each category on its own, and as if there were none.
try -x d.csv:/g,x --bandwidth 0,2 -q d.csv:/g,x
try -x d.csv:/g,x --bandwidth 1,2
try -x d.csv:/x --bandwidth 2
# The same numbers as words and as integers, ordered and not; distances are those of the numbers.
try -x d.csv:/k,x --categorical k --bandwidth 0.5,2
try -x d.csv:/k,x --ordered k --bandwidth 0.5,2
try -x d.csv:/x,k --ordered k=1,2,3,4 --bandwidth 2,0.5
try -x d.csv:/x,k --ordered 1=1,2,3,4 --bandwidth 2,0.5 --category-kernel aitchison-aitken --degree 1
# Labels, predictions of each from the others, all at once.
nwreg -x d.csv:/k,x -y d.csv:/g --categorical k --bandwidth 0.5,2 --classify --loo --emit probabilities -O csv --precision 3
printf 'g,x,y\na,1,1\n,2,2\nb,3,NA\nb,4,4\n' >m.csv
nwreg -x m.csv:/g,x -y m.csv:/y --bandwidth 0.5,2 --missing omit --with-query -O csv --precision 5
printf 'g,x\nz,1\n' >q.csv
try -x d.csv:/g,x --bandwidth 0.3,2 -q q.csv:/g,x
try -x d.csv:/g,x --bandwidth 0.3,2 -q q.csv:/x
try -x d.csv:/x --bandwidth 2 -q q.csv:/g,x
try -x d.csv:/g,x --ordered g --bandwidth 0.3,2
try -x d.csv:/g,x --ordered g=a,b --bandwidth 0.3,2
try -x d.csv:/g,x --ordered g=a,a --bandwidth 0.3,2
try -x d.csv:/g,x --categorical h --bandwidth 0.3,2
try -x d.csv:/g,x --bandwidth rot
try -x d.csv:/g,x --bandwidth 1
try -x d.csv:/g,x --bandwidth 2,1
try -x d.csv:/g --bandwidth 0.5 --degree 1
try -x d.csv:/g --bandwidth 0.5 --plot f.png
