# Targets, class weights and numbers that do not fit the loss are refused.
refused() { loss "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused 2x3=1 --target 2=1 --kind mse
refused 2x3=1 --target 3xi64=0
refused 3=1 --target 2xi64=0
refused 2x0=1 --target 2xi64=0
refused 2x3=1 --target 2xi64=0,-1
refused 2x3=1 --target 2xi64=0 --class-weights 2=1
refused 2x3=1 --target 2x3=1 --kind mse --class-weights 3=1
refused 2x3=1 --target 2x3=1 --kind mse --label-smoothing 0.1
refused 2x3=1 --target 2xi64=0 --label-smoothing 1.5
refused 2x3=1 --target 2xi64=0 --label-smoothing -0.5
refused 2x3=1 --target 2x3=1 --kind huber --delta 0
# The ends of the ranges are in them.
loss 2x3=1 --target 2xi64=0,2 --label-smoothing 1 --precision 6 -O csv --no-header
loss 2x3=1 --target 2xi64=-1,2 --ignore -1 --precision 6 -O csv --no-header
