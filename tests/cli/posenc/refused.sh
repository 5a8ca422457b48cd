# Inputs that do not fit one another, or the kind of positions, are refused with the shapes that would fit.
refused() { "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused posenc 2x4=1 --kind rotary --cos 2x2=1
refused posenc 2x4=1 --kind rotary --sin 2x2=1
refused posenc 4=1 --kind rotary
refused posenc 2x3x4=1 --kind rotary
refused posenc 2x6=1 --kind rotary --heads 4
refused posenc 1x2x2x2x4=1 --kind rotary
refused posenc 2x4=1 --kind rotary --cos 2x3=1 --sin 2x3=1
refused posenc 2x4=1 --kind rotary --cos 2x2=1 --sin 3x2=1
refused posenc 2x4=1 --kind rotary --cos 2x2=1 --sin 2x2=1 --offset 1
refused posenc 2x2x4=1 --layout batch-first --kind rotary --cos 3x2x2=1 --sin 3x2x2=1
refused posenc 2x4=1 --kind learned -w 3=1
refused posenc 2x4=1 --kind learned -w 3x5=1
refused posenc 2x4=1 --kind learned -w 3x4=1 --positions 2xi64=-1,0
refused posenc 2x4=1 --kind learned -w 3x4=1 --positions 2xi64=0,3
refused posenc 2x4=1 --kind learned -w 3x4=1 --positions 3xi64=0,1,2
refused posenc 2x4=1 --kind learned -w 3x4=1 --offset 2
refused posenc --length 3 --kind t5 -w 4=1
refused posenc --length 3 --kind t5 -w 32x2=1 --t5-max-distance 8
refused posenc --length 3 --kind t5 -w 3x2=1
refused posenc --length 3 --kind alibi --heads 2 --alibi-slopes 3=1
refused posenc --length 2 --dim 4 --kind learned -w 3x4=1 --vjp 2x3=1
refused posenc 2x4=1 --kind rotary --vjp 2x3=1
