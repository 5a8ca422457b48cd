# One sequence goes through the stages without a batch axis, as through the whole, and gets its bits: with attend between
# them too, which is told that heads come first.
L=$FIXTURES/layers/layers.h5
while read -r w options; do
  [ "$w" = grouped ] && heads='--heads 4 --kv-heads 2' || heads='--heads 4'
  mha $L:/x[0] -w $L:/$w $heads $options --emit q,k,v,heads,weights --quiet -f -o whole.h5
  mha $L:/x[:1] -w $L:/$w $heads $options --quiet -f -o batch.h5
  tdiff whole.h5:/y batch.h5:/y[0]
  mha --stage project $L:/x[0] -w $L:/$w $heads -f -o qkv.h5
  for name in q k v; do tdiff qkv.h5:/$name whole.h5:/$name; done
  for from in qkv whole; do
    for stage in attend "mha --stage attend"; do
      case "$stage $options" in attend*--padding-mask* | attend*--zero* | attend*--t5*) continue ;; esac
      $stage $from.h5 $options --emit weights --quiet -f -o heads.h5
      tdiff heads.h5:/y whole.h5:/heads
      tdiff heads.h5:/weights whole.h5:/weights
      mha --stage merge heads.h5:/y -w $L:/$w $heads -f -o stages.h5
      tdiff stages.h5 whole.h5:/y || echo "differs: $stage $w $options"
    done
  done
done <<END
self_attn
grouped
self_attn --causal
self_attn --causal-bottom-right --valid-lens i64=4
self_attn --valid-lens 1x6xi64=1,2,3,4,5,6
self_attn --mask $L:/lower
self_attn --mask $L:/mask[0]
self_attn --bias $L:/bias[0]
self_attn --padding-mask $L:/padding_mask[1]
self_attn --padding-mask $L:/padding_mask[1:]
self_attn --alibi
grouped --alibi-slopes $L:/slopes
grouped --sinks $L:/sinks
self_attn --score bilinear --m $L:/m
self_attn --zero-attention
self_attn --t5-bias $L:/buckets
END
# The past goes in front likewise.
mha $L:/x[0] -w $L:/self_attn --heads 4 --causal --emit heads,keys,values -f -o whole.h5
mha --stage project $L:/x[0,3:] -w $L:/self_attn --heads 4 -f -o qkv.h5
for stage in attend "mha --stage attend"; do
  $stage qkv.h5 --causal --past-key whole.h5:/keys[:,:3] --past-value whole.h5:/values[:,:3] -f -o heads.h5
  tdiff heads.h5 whole.h5:/heads[:,3:]
done
# So do positions: posenc turns heads of one sequence, and says on what they are.
mha $L:/x[0] -w $L:/self_attn --heads 4 --rotary --alibi --scale 0.3 --emit q -f -o whole.h5
mha $L:/x[0] -w $L:/self_attn --heads 4 --scale 0.3 --emit q,k,v -f -o qkv.h5
posenc --kind rotary qkv.h5:/q -f -o q.h5
posenc --kind rotary --heads 4 qkv.h5:/k -f -o k.h5
tdiff q.h5:/y whole.h5:/q
attend -q q.h5 -k k.h5 -v qkv.h5 --alibi | mha --stage merge -w $L:/self_attn -f -o stages.h5
tdiff stages.h5 whole.h5:/y
# --layout says otherwise; heads that are an axis are not packed.
attend qkv.h5 --alibi -f -o a.h5
attend qkv.h5 --alibi --layout batch-first -f -o b.h5
if tdiff a.h5 b.h5 >/dev/null; then echo "--layout is ignored"; fi
attend qkv.h5 --heads 2 2>&1 || echo "exit $?"
