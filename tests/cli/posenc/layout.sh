# Heads (B, L, H, d) and (L, H, d) are turned where they are.
X=$FIXTURES/layers/layers.h5
mha --stage project "$X:/x" -w "$X:/self_attn" --heads 4 -o q.h5
posenc --kind rotary q.h5:/q | tconv --axes 0,2,1,3 -o expected.h5
tconv q.h5:/q --axes 0,2,1,3 -o t.h5
posenc --kind rotary t.h5 --layout batch-length-heads | tdiff - expected.h5 --strict
posenc --kind rotary 't.h5:/q[0]' --layout batch-length-heads | tdiff - 'expected.h5:/y[0]' --strict
posenc --kind rotary 'q.h5:/q[0]' --layout heads-first | tconv --axes 1,0,2 | tdiff - 'expected.h5:/y[0]' --strict

# (L, B, d) and (L, B, H * d) are those of batches, in blocks of rows too.
tconv "$X:/x" --axes 1,0,2 -o lb.h5
for kind in "sinusoidal" "learned -w $X:/table" "rotary --heads 4"; do
  # shellcheck disable=SC2086
  posenc "$X:/x" --kind $kind -f -o y.h5
  # shellcheck disable=SC2086
  posenc lb.h5 --kind $kind --layout length-batch | tconv - --axes 1,0,2 | tdiff - y.h5 --strict
done
posenc "$X:/x" --kind learned -w "$X:/table" --vjp "$X:/x" -f -o d.h5
posenc lb.h5 --kind learned -w "$X:/table" --vjp lb.h5 --layout length-batch -o e.h5
tdiff e.h5:/d d.h5:/d --strict
tdiff e.h5:/dx lb.h5 --strict
tconv linspace=-1,1,600000 --reshape 30000,4,5 -o many.h5
tconv many.h5 --axes 1,0,2 | posenc | tconv - --axes 1,0,2 -o z.h5
posenc many.h5 --layout length-batch | tdiff - z.h5 --strict
