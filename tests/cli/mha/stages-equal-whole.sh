# Each option of attention means the same to mha as to attend between two stages of mha, bit for bit.
L=$FIXTURES/layers/layers.h5
w=$L:/self_attn
mha $L:/x -w $w --heads 4 -o plain.h5
mha --stage project $L:/x -w $w --heads 4 -o qkv.h5
while read -r options; do
  mha $L:/x -w $w --heads 4 $options --quiet -f -o whole.h5
  attend qkv.h5 $options --quiet | mha --stage merge -w $w --heads 4 -f -o stages.h5
  tdiff whole.h5 stages.h5 || echo "differs: $options"
  if tdiff whole.h5 plain.h5 >/dev/null; then echo "changes nothing: $options"; fi
done <<END
--causal
--causal-bottom-right --window 1,-1
--window 2,0
--mask $L:/mask
--mask $L:/mask --mask-invert
--mask $L:/bias
--mask $L:/mask --mask-type additive
--bias $L:/bias
--valid-lens $L:/lens
--alibi
--alibi-slopes $L:/slopes
--sinks $L:/sinks
--scale 0.1
--softcap 0.5
--score dot
--score cosine
--score gaussian --bandwidth 0.5
--score boxcar --bandwidth 2
--score bilinear --m $L:/m
--score additive --wq $L:/wq --wk $L:/wk --wv $L:/wv
--normalize hard
--normalize none
--score boxcar --bandwidth 1e-9 --empty nan
END
