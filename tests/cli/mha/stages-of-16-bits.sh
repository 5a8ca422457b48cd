# Of input in 16 bits each stage rounds what it writes; --dtype f32 of the first keeps what the whole computes on: the
# stages, and a past, give its bits, in f32 and, rounded at the end, in 16 bits.
tconv $FIXTURES/layers/layers.h5 --dtype f32 -o layers.h5
L=layers.h5
for dtype in f16 bf16; do
  tconv $L:/x --dtype $dtype -f -o x.h5
  for weights in self_attn "grouped --kv-heads 2"; do
    w="-w $L:/$weights --heads 4"
    mha x.h5 $w --causal --rotary --emit q,k,v,heads,weights --dtype f32 -f -o wide.h5
    mha x.h5 $w --causal --rotary -f -o whole.h5
    tconv wide.h5:/y --dtype $dtype | tdiff - whole.h5 --strict
    mha --stage project x.h5 $w --rotary --dtype f32 -f -o qkv.h5
    for stage in attend "mha --stage attend"; do
      $stage qkv.h5 --causal --emit weights -f -o heads.h5
      tdiff heads.h5:/y wide.h5:/heads --strict
      tdiff heads.h5:/weights wide.h5:/weights --strict
      mha --stage merge heads.h5:/y $w | tdiff - wide.h5:/y --strict
      mha --stage merge heads.h5:/y $w --dtype $dtype | tdiff - whole.h5 --strict
    done

    mha x.h5:/x[:,:3] $w --causal --rotary --emit keys,values --dtype f32 -f -o past.h5
    past="--causal --rotary --past-key past.h5 --past-value past.h5"
    mha x.h5:/x[:,3:] $w $past | tdiff - whole.h5:/y[:,3:] --strict
    mha x.h5:/x[:,3:] $w $past --dtype f32 | tdiff - wide.h5:/y[:,3:] --strict
    if mha --stage project x.h5 $w --rotary | attend --causal | mha --stage merge $w | tdiff - whole.h5 >/dev/null
    then echo "q, k and v are not rounded"; fi
  done
done
