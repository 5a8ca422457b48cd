# A past of one batch goes in front of every batch; so does that of mha.
. "$TESTDIR/qkv"
tconv --stack 0 "$X:/k[0]" "$X:/k[0]" -o k.h5
tconv --stack 0 "$X:/v[0]" "$X:/v[0]" -o v.h5
new="-q $X:/q -k $X:/k -v $X:/v --causal"
attend $new --past-key k.h5 --past-value v.h5 --emit keys -o both.h5
attend $new --past-key "$X:/k[:1]" --past-value "$X:/v[:1]" --emit keys -o one.h5
attend $new --past-key "$X:/k[:1]" --past-value "$X:/v[:1]" -o lone.h5
tdiff both.h5:/y one.h5:/y --strict
tdiff both.h5:/keys one.h5:/keys --strict
tdiff both.h5:/y lone.h5 --strict

w="-w $FIXTURES/layers/layers.h5:/self_attn --heads 4"
X=$FIXTURES/layers/layers.h5
mha "$X:/x[:1]" $w --emit keys,values -o past.h5
for name in keys values; do
  tconv --concat 0 "past.h5:/$name" "past.h5:/$name" -o "twice.h5:/$name" -A
done
mha "$X:/x" $w --past-key twice.h5 --past-value twice.h5 -o a.h5
mha "$X:/x" $w --past-key past.h5 --past-value past.h5 | tdiff - a.h5 --strict
