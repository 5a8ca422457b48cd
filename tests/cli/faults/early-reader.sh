# A reader that leaves early ends the writers quietly.
tconv linspace=0,1,4000000 -o big.h5
tconv big.h5 | head -c 100 >part
tconv big.h5 | tconv | tconv | head -c 100 >part
cat big.h5 big.h5 big.h5 | tconv | head -c 100 >part
tconv big.h5 -O csv | head -n 1
