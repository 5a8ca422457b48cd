# What a tensor says may be said by an option too, as long as both agree.
try() { posenc "$@" -f -o y.h5 2>&1 || echo "exit $?"; }
same() { try "$@" && mv y.h5 said.h5; }
t5="--kind t5 -w 8x2=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --length 3"
same $t5 --heads 2 && try $t5 && tdiff said.h5 y.h5
try $t5 --heads 4
alibi="--kind alibi --length 3 --alibi-slopes 2=1,0.5"
same $alibi --heads 2 && try $alibi && tdiff said.h5 y.h5
try $alibi --heads 1
rotary="--kind rotary 1x1x2x6=1,2,3,4,5,6,7,8,9,10,11,12 --cos 2x2=1,0.5,0.2,0 --sin 2x2=0,0.5,0.7,1"
same $rotary --rotary-width 4 && try $rotary && tdiff said.h5 y.h5
try $rotary --rotary-width 6
try $rotary --rotary-width 2 -n
# 0 is all of a head.
try $rotary --rotary-width 0
rotary="--kind rotary 1x2x8=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 --heads 2"
turn="--cos 2x2=1,0.5,0.2,0 --sin 2x2=0,0.5,0.7,1"
same $rotary $turn --rotary-width 0 && try $rotary $turn && tdiff said.h5 y.h5
same $rotary --rotary-width 0 && try $rotary --rotary-width 4 && tdiff said.h5 y.h5
same --kind rotary --length 3 --dim 6 --rotary-width 0 && try --kind rotary --length 3 --dim 6 && tdiff said.h5 y.h5
