# A search: the largest scores of each query and their keys, in order, from memory and in blocks; no values are needed.
posenc --length 5000 --dim 16 --base 50 -O npy -o all.npy
tconv 'all.npy[2000:2003]' -O npy -o q.npy
awk 'BEGIN { for (i = 0; i < 5000; ++i) print "line " i ", as it is" }' >lines.txt
for score in cosine dot gaussian; do
  attend --score $score --emit topk=4 -q q.npy -k all.npy -f -o top.h5
  # As attention has them, with values.
  attend --score $score --normalize none --emit topk=4 -q q.npy -k all.npy -v all.npy -f -o weights.h5
  tdiff top.h5:/topk weights.h5:/topk --rtol 1e-12 --atol 1e-12
  tdiff top.h5:/topk-keys weights.h5:/topk-keys
  attend --score $score --emit topk=4 --max-memory 1500K -q q.npy -k all.npy -f -o blocks.h5 2>/dev/null
  tdiff top.h5 blocks.h5 --ulp 0
  attend --score $score --emit topk=4 --threads 1 -q q.npy -k all.npy -f -o one.h5
  tdiff top.h5 one.h5 --ulp 0
done
tconv --list top.h5 | sed '/^@/d'
attend --score cosine --emit topk=2 --precision 6 -q q.npy -k all.npy -v lines.txt
attend --score cosine --emit topk=3 --precision 6 -q 1x2xf64=1,0 -k 2x2xf64=0,2,3,0 -v lines.txt || echo $?
head -n 2 lines.txt >two.txt
attend --score cosine --emit topk=3 --precision 6 -q 1x2xf64=1,0 -k 2x2xf64=0,2,3,0 -v two.txt
# A weight that is asked for is the weight; masks hide keys; a width that does not fit is an error.
attend --normalize softmax --score dot --emit topk=2 --precision 4 -q 1x1xf64=1 -k 2x1xf64=0,1 -v two.txt
attend --score dot --valid-lens 1 --emit topk=2 --precision 4 -q 1x1xf64=1 -k 2x1xf64=0,1 -v two.txt
attend --score dot --emit topk=2 -q 1x3xf64=1,2,3 -k 2x1xf64=0,1 -o y.h5 || echo $?
# A column of a table has a line for each key, whatever it contains; a dataset of numbers is no lines.
printf 'title,year\n"The ""old"" man, and the sea",1952\nDune,1965\n' >books.csv
attend --score cosine --emit topk=2 --precision 4 -q 1x2xf64=1,0 -k 2x2xf64=0,2,3,0 -v books.csv:/title
attend --score cosine --emit topk=1 --precision 4 -q 1x2xf64=1,0 -k 2x2xf64=0,2,3,0 -v books.csv:/year
attend --score cosine --emit topk=1 --precision 4 -q 1x1xf64=1 -k 3x1xf64=0,1,2 -v books.csv:/title || echo $?
attend --score dot --emit topk=1 -q 1x1xf64=1 -k 2x1xf64=0,1 -v top.h5:/topk-keys -f -o y.h5 || echo $?
# Several columns stand side by side, of words and numbers; a table without a column is named with what leads on.
attend --score cosine --emit topk=2 --precision 4 -q 1x2xf64=1,0 -k 2x2xf64=0,2,3,0 -v books.csv:/title,year
printf 'file\ttext\na.txt\tthe man\nb.txt\tParis\n' >passages.tsv
attend --score dot --emit topk=1 -q 1x1=1 -k 2x1=0,1 -v passages.tsv:/text,file
attend --score dot --emit topk=1 -q 1x1=1 -k 3x1=0,1,2 -v passages.tsv:/file,text || echo $?
attend --score dot --emit topk=1 -q 1x1=1 -k 2x1=0,1 -v passages.tsv || echo $?
attend --score dot --emit topk=1 -q 1x1=1 -k 2x1=0,1 -v passages.tsv:/0
