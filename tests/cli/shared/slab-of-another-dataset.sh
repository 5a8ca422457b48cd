# --slab y=... is of the dataset y, and of INPUT under another name it is refused.
tconv 2x2=1,2,3,4 -o y.h5:/y
tconv y.h5 --rename y=x -o x.h5
softmax y.h5 --slab y=0 -O csv --precision 2
softmax x.h5 --slab input=0 -O csv --precision 2
softmax x.h5 --slab y=0 -o out.h5 || echo "exit code $?"
softmax y.h5:/y --slab x=0 -o out.h5 || echo "exit code $?"
[ ! -e out.h5 ]
