# --dry-run shows each batch of a stream and says what is new in it.
tconv 2x3=1,2,3,4,5,6 -o small.h5
tconv 50x30=1 -o large.h5
cat small.h5 small.h5 large.h5 >stream.h5
softmax stream.h5 -n | sed 's/about [0-9]*/about N/'
cat stream.h5 | softmax -n | grep -c batches
