# An option that would do nothing is a mistake.
L=$FIXTURES/layers/layers.h5
try() { mha $L:/x -w $L:/self_attn --heads 4 "$@" -o y.h5 2>&1 || echo "exit $?"; }
try --positions $L:/positions
try --rotary-base 2
try --rotary-width 2
try --rotary-interleaved
try --t5-causal
try --t5-max-distance 4
try --segments $L:/segments
try --average
