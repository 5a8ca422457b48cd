# Inputs that do not fit one another are refused with the shapes that would fit; so are parameters without meaning.
refused() { attend "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused -q 2x4=1 -k 3x5=1 -v 3x2=1
refused -q 4=1 -k 3x4=1 -v 3x2=1
refused -q 2x4=1 -k 3x4=1 -v 2x2=1
refused -q 1x2x2x4=1 -k 1x2x3x4=1 -v 1x1x3x2=1
refused -q 1x0x2x4=1 -k 1x1x3x4=1 -v 1x1x3x2=1
refused -q 1x3x2x4=1 -k 1x2x3x4=1 -v 1x2x3x2=1
refused -q 2x1x2x4=1 -k 3x1x3x4=1 -v 2x1x3x2=1
refused -q 2x1x2x4=1 -k 2x1x3x4=1 -v 3x1x3x2=1
refused -q 1x1x1x2x4=1 -k 3x4=1 -v 3x2=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --past-key 1x4=1 --past-value 2x2=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --past-key 1x3=1 --past-value 1x2=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --past-key 1x4=1 --past-value 1x3=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --past-key 1x4=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --softcap -1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --scale inf
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --window -2,0
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --window 0,-2
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --valid-lens 2xi64=4,1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --valid-lens 2xi64=-1,1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --valid-lens 3xi64=1,1,1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --mask 2x2xi64=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --alibi-slopes 2=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --sinks 1=1 --normalize uniform
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --score bilinear --m 4x3=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --score additive
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --score additive --wv 2=1 --wq 2x4=1 --wk 2x3=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --vjp 2x3=1
refused -q 2x4=1 -k 3x4=1 -v 3x2=1 --vjp 2x2xi64=1
