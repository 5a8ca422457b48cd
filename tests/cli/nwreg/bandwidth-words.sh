# The bandwidth's name of another program: the error names what there is; a share of the samples is a count of neighbours.
awk 'BEGIN { print "x,y"; for (i = 0; i < 50; i++) print i "," i * i }' >d.csv
for word in silverman scott gcv auto 30% span:0.3 knn:0.3 knn:0 CV span=0.3 knn=5 h=2 1/2; do
  nwreg -x d.csv:/x -y d.csv:/y --bandwidth $word || echo "exit code $?"
done 2>&1
for width in knn:15 knn:30%; do nwreg -x d.csv:/x -y d.csv:/y --bandwidth $width -q 25 -O csv --precision 12; done
nwreg -x d.csv:/x -y d.csv:/y --bandwidth none.csv || echo "exit code $?"
