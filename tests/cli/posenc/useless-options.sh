# An option of another kind is a mistake.
x=1x2x2=1,2,3,4
try() { posenc "$@" -f -o y.h5 2>&1 || echo "exit $?"; }
try $x -w 2x2=1,2,3,4
try $x --slopes 1=1
try $x --cos 2x1=1,1
try $x --heads 2
try $x --keys 2
try $x --dim 2
try $x --causal
try $x --max-distance 9
try $x --interleaved
try $x --scaling 2
try $x --rotary-width 2
try --length 2 --dim 2 --positions 2xi64=0,1
try --kind learned -w 2x2=1,2,3,4 --base 3 $x
try --kind t5 -w 8x1=1,2,3,4,5,6,7,8 --length 2 --columns halves
# Of rotary ones, tables of cosines and sines say what the other options would.
turn() { try --kind rotary 1x1x2x4=1,2,3,4,5,6,7,8 "$@"; }
table="--cos 2x1=1,1 --sin 2x1=0,0" rows="--cos 2x2x1=1,1,1,1 --sin 2x2x1=0,0,0,0"
turn $table --base 3
turn $table --scaling 2
turn $table --offset 1 --positions 2xi64=0,1
turn $rows --positions 2xi64=0,1
turn $rows --offset 1
try --kind rotary --length 2 --dim 4 $table
