# Of many batches in a file one counts at a time, as through a pipe.
posenc --length 300 --dim 64 --no-history -o one.h5
cat one.h5 one.h5 one.h5 one.h5 one.h5 one.h5 >six.h5
softmax six.h5 --max-memory 500000 >file.h5
cat six.h5 | softmax --max-memory 500000 >pipe.h5
tdiff file.h5 pipe.h5
for i in 1 2 3 4 5 6; do tconv one.h5 -o one.npy -f && cat one.npy; done >six.npy
tconv six.npy --max-memory 500000 -O npy | cmp - six.npy
