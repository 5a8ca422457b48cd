# Each error has one line that says what is wrong.
. "$SUPPORT/try.sh"
try addnorm --no-residual 1x2=1,2 --axis 2
try addnorm --no-norm --no-residual 1x2=1,2
# A residual and a norm of other shapes than the input.
try addnorm 1x2=1,2 --residual 1x3=1,2,3
try addnorm --no-residual 1x2=1,2 -w 3=1,2,3
# An input without its residual beside it.
linear 1x2=1,2 -w 2x2=1,0,0,1 -o y.h5
try addnorm y.h5
