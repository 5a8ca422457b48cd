# Each loss is its formula; a loss is one line of text, or the datasets y and dy.
loss 1x2xf64=0,0 --target 1xi64=1
loss 2xf64=0,0 --kind bce --target 2=0,1
loss 3xf64=1,2,5 --kind mse --target 3=1,1,1
loss 3xf64=1,2,5 --kind mse --target 3=1,1,1 --reduction sum
loss 3xf64=1,2,5 --kind huber --target 3=1,1,1 --delta 2 --reduction none
loss 3xf32=1,2,5 --kind mse --target 3xf32=1,1,1
loss 2x2xf64=0,0,9,1 --target 2xi64=1,7 --ignore 7
loss 3xf64=1,2,5 --kind mse --target 3=1,1,1 --emit dy | tconv --list
loss 3xf64=1,2,5 --kind mse --target 3=1,1,1 --emit dy | tconv --select dy -O csv --no-header
loss 3xf64=1,2,5 --kind mse --target 3=1,1,1 -o l.h5
tconv l.h5 -O csv --no-header
# The bits are the same for any number of threads.
tconv linspace=-9,9,60000 --reshape 6000,10 -o x.h5
tconv linspace=0,0,6000 --dtype i64 -o t.h5
loss x.h5 --target t.h5 --emit dy --threads 1 -o one.h5
loss x.h5 --target t.h5 --emit dy --threads 2 | tdiff - one.h5
