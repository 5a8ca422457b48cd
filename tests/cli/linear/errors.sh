# Each error has one line that says what is wrong.
. "$SUPPORT/try.sh"
try linear 2=1,2
try linear 2=1,2 -w 2x2=1,2,3,4 --activation prelu
# An input, a bias and a cotangent of other shapes than the weights ask for.
try linear 2x3=1,2,3,4,5,6 -w 2x2=1,2,3,4
try linear 2=1,2 -w 2x2=1,2,3,4 -b 3=1,2,3
try linear 1x2=1,2 -w 3x2=1,0,0,1,1,1 --vjp 1x2=1,1
# Gradients have names of their own.
try linear 1x2=1,2 -w 3x2=1,0,0,1,1,1 --vjp 1x3=1,1,1 -o d.h5:/other
