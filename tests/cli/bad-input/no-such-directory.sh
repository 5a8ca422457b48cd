# A directory that does not exist is noticed before anything is computed.
tconv 2=1,2 -o nowhere/out.h5
