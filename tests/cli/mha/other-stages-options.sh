# What belongs to another stage, or what another option covers, would change nothing: a mistake, not silence.
L=$FIXTURES/layers/layers.h5
project() { mha --stage project $L:/x -w $L:/self_attn --heads 4 "$@"; }
project -o qkv.h5
attend qkv.h5 -o heads.h5
attending() { mha --stage attend qkv.h5 "$@"; }
merge() { mha --stage merge heads.h5 -w $L:/self_attn "$@"; }
whole() { mha $L:/x -w $L:/self_attn --heads 4 "$@"; }
try() { "$@" -o y.h5 2>&1 || echo "exit $?"; }
try project --zero-attention
try project --causal --emit weights --score cosine
try project --emit weights
try project --t5-bias $L:/buckets
try project --past-key qkv.h5:/k --past-value qkv.h5:/v
try attending --rotary
try attending --positions $L:/positions
try merge --causal
try merge --emit heads
try merge --rotary
try merge --past-key qkv.h5:/k --past-value qkv.h5:/v
try whole --mask-invert
try whole --mask-type boolean
try whole --causal --causal-bottom-right
try whole --alibi --alibi-slopes $L:/slopes
try attend qkv.h5 --mask-invert
try attend qkv.h5 --causal --causal-bottom-right
