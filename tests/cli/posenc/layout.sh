# Heads (B, L, H, d) and (L, H, d) are turned where they are.
X=$FIXTURES/layers/layers.h5
mha --stage project "$X:/x" -w "$X:/self_attn" --heads 4 -o q.h5
posenc --kind rotary q.h5:/q | tconv --axes 0,2,1,3 -o expected.h5
tconv q.h5:/q --axes 0,2,1,3 -o t.h5
posenc --kind rotary t.h5 --layout batch-length-heads | tdiff - expected.h5 --strict
posenc --kind rotary 't.h5:/q[0]' --layout batch-length-heads | tdiff - 'expected.h5:/y[0]' --strict
posenc --kind rotary 'q.h5:/q[0]' --layout heads-first | tconv --axes 1,0,2 | tdiff - 'expected.h5:/y[0]' --strict
