# Masks (B, S) and (B, L, S), and lengths (L) of one batch, are what they are with 4 axes.
. "$TESTDIR/qkv"
tconv 2x9xi64=1,1,1,1,0,1,1,0,0,1,1,1,1,1,1,0,1,1 -o bs.h5
tconv bs.h5 --reshape 2,1,1,9 -o four.h5
for options in "" --mask-invert; do
  pool --mask four.h5 $options >a.csv
  pool --mask bs.h5 $options >b.csv
  cmp a.csv b.csv
done
tconv "$X:/bias[:,:1]" -o b1ls.h5
tconv "$X:/bias[:,0]" -o bls.h5
for option in --mask --bias; do
  pool $option b1ls.h5 >a.csv
  pool $option bls.h5 >b.csv
  cmp a.csv b.csv
done
one="-q $X:/q[0,0] -k $X:/k[0,0] -v $X:/v[0,0] -O csv"
attend $one --valid-lens 1x6xi64=9,1,2,3,4,5 >a.csv
attend $one --valid-lens 6xi64=9,1,2,3,4,5 >b.csv
cmp a.csv b.csv

# Padding of mha as Hugging Face extends it.
tconv "$FIXTURES/layers/layers.h5:/x" -o x.h5
L="-w $FIXTURES/layers/layers.h5:/self_attn --heads 4"
mha x.h5 $L --padding-mask 2x6xi64=1,1,1,1,0,0,1,1,1,1,1,0 -o a.h5
mha x.h5 $L --padding-mask 2x1x1x6xi64=1,1,1,1,0,0,1,1,1,1,1,0 | tdiff - a.h5 --strict
mha x.h5 $L --mask 2x6xi64=1,1,1,1,0,0,1,1,1,1,1,0 | tdiff - a.h5 --strict
for shape in 6 1,6 1,1,1,6; do
  tconv 6xi64=1,1,1,0,1,0 --reshape "$shape" -f -o p.h5
  mha x.h5 $L --padding-mask p.h5 -f -o b.h5
  mha x.h5 $L --padding-mask 2x6xi64=1,1,1,0,1,0,1,1,1,0,1,0 | tdiff - b.h5 --strict
done
