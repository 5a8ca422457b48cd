# --check-grad agrees with the gradients of every stage, for weights of a file, of an option, literals and ids.
L=$FIXTURES/layers/layers.h5
check() { "$@" --check-grad 3 --threads 1 >errors || { echo "$*" && cat errors; }; cut -d ' ' -f 1 errors | paste -sd ' '; }
check linear $L:/x -w $L:/ffn/linear1 --activation gelu
check linear 2x2=1,2,3,4 -w 2x2=1,2,3,5 -b 2=0.5,0.25 --activation mish
check linear 2x2xf32=1,2,3,4 -w 2x3=1,2,3,4,5,6 --transposed
check ffn $L:/x -w $L:/ffn --activation silu
check addnorm 2x3=1,2,4,-1,0,3 -r 2x3=0,1,0,2,2,-1 -w 3=1,2,-1 -b 3=0,1,2 --norm-first
check addnorm 2x3=1,2,4,-1,0,3 --no-residual -w 1x3=1,2,-1 --kind rms --axis 0
check addnorm 2x3=1,2,4,-1,0,3 -r 2x3=0,1,0,2,2,-1 --no-norm
check softmax 2x3xf64=1,2,4,-1,0,3 --mask 3=0.5,-inf,1 --temperature 0.7
check softmax 2x3xf64=1,2,4,-1,0,3 --mask 2x3xbool=1,0,1,0,0,0 --log
check embed 3xi64=1,0,1 -w 2x3xf64=1,2,3,4,5,6 --scale 1.5
check embed --logits 2x3xf64=1,2,4,-1,0,3 -w 2x3xf64=1,2,3,4,5,6 -b 2=1,2
check posenc 3x4xf64=1,2,3,4,5,6,7,8,9,10,11,12 --kind rotary --rotary-interleaved --offset 3
check posenc 2x2xf64=1,2,3,4 --kind learned -w 4x2=1,2,3,4,5,6,7,8 --positions 2xi64=3,0
check posenc --kind t5 -w 8x2=1,2,3,4,5,6,7,8,1,2,3,4,5,6,7,8 --length 5
check posenc --kind alibi --slopes 2=0.5,0.25 --length 5
