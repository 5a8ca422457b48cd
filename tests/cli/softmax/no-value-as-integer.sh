# What --dtype has no value for is an element of the result.
softmax 2=0,3 --dtype i8 -o out.h5 || echo "exit code $?"
[ ! -e out.h5 ]
