# Positions (1, L) are those of all batches, as (L) are.
X=$FIXTURES/layers/layers.h5
tconv linspace=0,1,160 --reshape 20,8 -o table.h5
for kind in sinusoidal "learned -w table.h5" "rotary --heads 4"; do
  posenc "$X:/x" --kind $kind --positions 6xi64=3,1,4,1,5,9 -f -o y.h5
  posenc "$X:/x" --kind $kind --positions 1x6xi64=3,1,4,1,5,9 | tdiff - y.h5 --strict
done
w="-w $X:/self_attn --heads 4 --rotary"
mha "$X:/x" $w --positions 6xi64=3,1,4,1,5,9 -f -o y.h5
mha "$X:/x" $w --positions 1x6xi64=3,1,4,1,5,9 | tdiff - y.h5 --strict
