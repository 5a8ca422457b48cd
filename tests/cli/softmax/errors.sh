# Each error has one line that says what is wrong.
. "$SUPPORT/try.sh"
try softmax 2=1,2 --axis 1
try softmax 2=1,2 --temperature 0
# A mask that does not broadcast, and one of floats that are only 0 and 1: its type must be given.
try softmax 2=1,2 --mask 3xbool=1,0,1
try softmax 2=1,2 --mask 2=0,1
