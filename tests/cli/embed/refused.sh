# Tables, ids and gradients that do not fit one another are refused.
refused() { "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused embed 2xi64=0,1 -w 6=1
refused embed 2xi64=0,1 -w 1x3x2=1
refused embed 2xi64=0,3 -w 3x2=1
refused embed 2xi64=-1,0 -w 3x2=1
refused embed 2=0.5,1 -w 3x2=1
refused embed 2xi64=0,1 -w 3x2=1 --vjp 2x3=1
refused embed 2xi64=0,1 -w 3x2=1 --vjp 2=1
refused embed 2xi64=0,1 -w 3x2=1 -b 3=1
refused embed 1x2x2x1xu8=1 -w 3x1x2x3=1
refused embed 2xi64=0,1 -w 3x2=1 --scale nan
