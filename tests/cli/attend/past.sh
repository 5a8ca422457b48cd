# A past in front is the longer sequence; --emit keys,values writes what was attended to.
. "$TESTDIR/qkv"
attend -q "$X:/q" -k "$X:/k[:,:,4:]" -v "$X:/v[:,:,4:]" --past-key "$X:/k[:,:,:4]" --past-value "$X:/v[:,:,:4]" --emit keys,values -o joined.h5
pool >whole.csv
tconv joined.h5:/y -O csv >joined.csv
cmp whole.csv joined.csv
tdiff joined.h5:/keys "$X:/k"
tdiff joined.h5:/values "$X:/v"

# With a past, causal attention counts positions from its end.
attend -q "$X:/q" -k "$X:/k[:,:,3:]" -v "$X:/v[:,:,3:]" --past-key "$X:/k[:,:,:3]" --past-value "$X:/v[:,:,:3]" --causal -O csv >past.csv
pool --mask "$X:/lower_right" >mask.csv
cmp past.csv mask.csv

# A past of one batch goes in front of every batch; so does that of mha.
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
