# Of keys that no mask excludes (--zero-attention, bias_k) sums have the same bits alone, padded, and behind a past,
# whatever the score; weights have them last.
L=$FIXTURES/layers/layers.h5
posenc --length 700 --dim 8 | tconv - --dtype f32 -o x.h5
tconv $L:/self_attn --dtype f32 -o plain.h5
tconv $L:/self_attn --dtype f32 -o biased.h5
for name in bias_k bias_v; do tconv f32=1,-2,3,-4,5,-6,7,-8 --rename y=self_attn/$name -A -o biased.h5; done
same() {
  w=$1
  shift
  run() { mha "$@" -w "$w.h5:/self_attn" --heads 4 -f; }
  for n in 17 600; do
    run "x.h5:/y[:$n]" "$@" -o alone.h5
    run x.h5 "$@" --valid-lens i64=$n -o padded.h5
    tdiff alone.h5:/y "padded.h5:/y[:$n]"
  done
  run x.h5 "$@" --causal --emit keys,values,weights -o whole.h5
  run 'x.h5:/y[697:]' "$@" --causal --past-key 'whole.h5:/keys[:,:697]' --past-value 'whole.h5:/values[:,:697]' \
    --emit weights -o behind.h5
  tdiff behind.h5:/y 'whole.h5:/y[697:]'
  tdiff behind.h5:/weights 'whole.h5:/weights[:,697:]'
}
same plain --zero-attention
same plain --zero-attention --alibi
same plain --zero-attention --score laplace --bandwidth 3
same biased
same biased --zero-attention
tconv --list behind.h5 --select weights | grep '^weights'
# The first query sees the first key alone, and those of bias_k and zeros.
tconv --list 'whole.h5:/weights[:,0,1:700]' --values | grep '^weights'
# Masks of kernels stay boolean.
mha 'x.h5:/y[:6]' -w plain.h5:/self_attn --heads 4 --zero-attention --score boxcar --bandwidth 3 --mask $L:/lower -o a.h5
for mask in --causal "--causal-bottom-right" "--window 5,0"; do
  mha 'x.h5:/y[:6]' -w plain.h5:/self_attn --heads 4 --zero-attention --score boxcar --bandwidth 3 $mask -f -o b.h5
  tdiff a.h5 b.h5
done
mha 'x.h5:/y[:6]' -w plain.h5:/self_attn --heads 4 --zero-attention --score boxcar --bandwidth 3 \
  --padding-mask 6xi64=1,1,1,1,0,0 -f -o a.h5
mha 'x.h5:/y[:6]' -w plain.h5:/self_attn --heads 4 --zero-attention --score boxcar --bandwidth 3 --valid-lens i64=4 -f \
  -o b.h5
tdiff a.h5 b.h5
mha 'x.h5:/y[:6]' -w plain.h5:/self_attn --heads 4 --zero-attention --score boxcar --bandwidth 3 --alibi 2>&1 || echo $?
# A mask and a padding mask beside it, both boolean, stay so, too.
for appended in '' --zero-attention; do
  both() { mha 'x.h5:/y[:6]' -w plain.h5:/self_attn --heads 4 $appended --score laplace --bandwidth 3 -f "$@"; }
  both --mask $L:/lower --padding-mask 6xi64=1,1,1,1,0,0 -o a.h5
  both --causal --valid-lens i64=4 -o b.h5
  tdiff a.h5 b.h5
done
