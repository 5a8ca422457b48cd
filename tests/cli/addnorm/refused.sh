# Weights, biases and residuals that do not fit are refused, and so are numbers that no norm has.
refused() { addnorm "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused 2x3=1 -r 2x2=1
refused 2x3=1 --no-residual -w 2=1
refused 2x3=1 --no-residual -w 1x2x3=1
refused 2x3=1 --no-residual -w 3=1 -b 2=1
refused 2x3=1 --no-residual -w 3=1 -b 1x3=1
refused 2x3=1 --no-residual -b 3=1
refused 2x3=1 --no-residual --eps -1
refused 2x3=1 --no-residual --eps inf
refused 2x3=1 --no-residual --axis 2
refused 2x3=1 --no-residual --axis -3
refused 1=1 --no-residual --axis 1
refused 2x3=1 --no-residual --vjp 2x2=1
refused 2x3=1 --no-residual --no-norm
