# What a pipe is read into counts: reading stops at the limit, and the table has to fit beside its text.
tconv linspace=0,1,100001 -O csv -o x.csv
tconv x.csv -o x.h5
size=$(wc -c <x.csv)
text_and_table=$((size + 8 * 100001))
softmax --max-memory 500k <x.csv -o y.h5 || echo $?
cat x.csv | softmax --max-memory 500k -o y.h5 || echo $?
cat x.csv | softmax --max-memory $((text_and_table - 1)) -o y.h5 2>errors || echo $?
grep -q "needs at least $text_and_table bytes of memory, " errors
gzip -c x.csv >x.csv.gz
softmax x.csv.gz --max-memory 500k -o y.h5 || echo $?
[ ! -e y.h5 ]
# A tensor in an image counts once, with its image, and so does a result that is what was read.
image=$(wc -c <x.h5)
cat x.h5 | tconv --max-memory "$image" -o x.npy
cat x.h5 | softmax --max-memory $((image + 800007)) -o y.h5 2>errors || echo $?
tconv x.h5 --reshape 1,-1 --max-memory 800008 -o z.npy
code=0
tconv x.h5 --reshape 1,-1 --max-memory 800007 -o y.npy || code=$?
[ $code -eq 71 ]
# A literal is refused before it is made.
code=0
tconv linspace=0,1,100001 --max-memory 500k -o y.npy || code=$?
[ $code -eq 71 ]
