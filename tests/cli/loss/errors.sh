# A label that the logits do not have, and the mean of no label.
. "$SUPPORT/try.sh"
try loss 2x3xf64=1,2,3,4,5,6 --target 2xi64=1,3
try loss 2x3xf64=1,2,3,4,5,6 --target 2xi64=-100,-100
