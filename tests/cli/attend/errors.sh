# Each error has one line, names its remedy, and leaves no output.
. "$SUPPORT/try.sh"

# Options that do not exist, and values that they do not take.
try attend --casual -q 1 -k 1 -v 1
try attend --emit weight -q 1 -k 1 -v 1
try attend --emit topk=x -q 1 -k 1 -v 1
try attend --score epanechnikow -q 1 -k 1 -v 1
try attend --score gaussian --bandwidth 0 -q 1 -k 1 -v 1
try attend --scale nan -q 1 -k 1 -v 1
try attend --window 3 -q 1 -k 1 -v 1
try attend --heads 0 -q 1 -k 1 -v 1
try attend --explain 4 -q 1x2xf64=1,2 -k 3x2xf64=1,0,0,1,5,5 -v 3x2xf64=10,1,20,2,30,3

# A word of another program that is neither a file nor an option: the message names what is given instead.
try attend --score gaussian --bandwidth cv -q 5 -k 5 -v 5
try attend --mask True -q 5 -k 5 -v 5
try attend --causal= -q 5 -k 5 -v 5
try attend --bandwidth= -q 5 -k 5 -v 5

# Options that need or exclude others. A smoothing kernel is no logit, and only a softmax has a log-sum-exp.
try attend --score boxcar --softcap 2 -q 1 -k 1 -v 1
try attend --normalize hard --emit lse -q 1 -k 1 -v 1
try attend --score bilinear -q 1 -k 1 -v 1
try attend --past-key 1 -q 1 -k 1 -v 1

# Inputs that are not there. A query alone is no database: an operand is given, so standard input is not touched
# unless it is named.
try attend -q 1 -v 1
try attend </dev/null
try attend -q nowhere.h5 -k 1 -v 1
printf '1,2\n' >q.csv
tconv 1x1=1 -o k.h5:/keys
try attend -q q.csv -k k.h5:/key -v 1
head -c 20000 "$FIXTURES/attention/attention.h5" >cut.h5
try attend cut.h5 -o y.h5

# An output that exists is not replaced.
echo precious >y.h5
try attend -q 1 -k 1 -v 1 -o y.h5
cat y.h5

# What is no number, and text, which cannot be averaged.
printf '1\nx2\n' >k.csv
try attend -q 1 -k k.csv -v 2x1xf64=1,2
cp "$EXAMPLES/names.csv" .
try attend -k names.csv:/last -v names.csv:/first -q str=Smith

# Shapes that do not fit. Three numbers are three queries of width 1: the message is about them, not about the keys.
try attend -q 1x2xf64=1,2 -k 2x3xf64=1,2,3,4,5,6 -v 2x1xf64=1,2
try attend -q 1x2xf64=1,2 -k 2x2xf64=1,2,3,4 -v 3x1xf64=1,2,3
try attend -q 3xf32=1,2,3 -k 2x3=1,2,3,4,5,6 -v 2=1,2
try attend --heads 2 -q 1x3xf64=1,2,3 -k 1x3xf64=1,2,3 -v 1x3xf64=1,2,3
cp "$FIXTURES/attention/attention.h5" x.h5
try attend -q x.h5:/q[:,:3] -k x.h5:/k -v x.h5:/v
try attend --score gaussian --bandwidth 1,2,3 -q 2x2=1,2,3,4 -k 3x2=1,2,3,4,0,1 -v 3=1,2,3
try attend --valid-lens 1xi64=2 -q 1 -k 1 -v 1
try attend --mask 1x3xu8=1,1,1 -q 1x2xf64=1,2 -k 2x2xf64=1,2,3,4 -v 2x1xf64=1,2

# A float mask of nothing but 0 and 1 is refused: it was boolean once.
try attend --mask 1x2xf64=1,0 -q 1 -k 2x1xf64=1,2 -v 2x1xf64=1,2

# Masks that could be meant for heads or for batches, for queries or for batches.
try attend --mask 2x1x1xu8=1,1 -q 2x2x1x1xf64=1,1,1,1 -k 2x2x1x1xf64=1,1,1,1 -v 2x2x1x1xf64=1,1,1,1
try attend --mask 2x1xu8=1,1 -q 2x2x1xf64=1,1,1,1 -k 2x1x1xf64=1,1 -v 2x1x1xf64=1,1
try softmax --mask 2x1xu8=1,1 2x2x1xf64=1,1,1,1

# No key is near to the second query.
try attend --score boxcar --empty error -q 2x1xf64=0,9 -k 2x1xf64=0,4 -v 2x1xf64=10,20 -O csv

# What needs all keys at once is refused before it is computed.
tconv linspace=0,100,3000000 -o keys.h5
try attend --emit weights -q linspace=0,100,7 -k keys.h5 -v keys.h5 --max-memory 20M -t 1 -o weights.h5
