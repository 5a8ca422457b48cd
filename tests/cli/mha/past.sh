# Token by token with keys and values of the past: the bits of the whole causal sequence, turned by position too.
L=$FIXTURES/layers/layers.h5
for rotary in '' --rotary; do
  mha $L:/x -w $L:/self_attn --heads 4 --causal $rotary -f -o whole.h5
  mha $L:/x[:,:3] -w $L:/self_attn --heads 4 --causal $rotary --emit keys,values -f -o past.h5
  tdiff past.h5:/y whole.h5:/y[:,:3]
  mha $L:/x[:,3:5] -w $L:/self_attn --heads 4 --causal $rotary --past-key past.h5 --past-value past.h5 \
    --emit keys,values -f -o more.h5
  tdiff more.h5:/y whole.h5:/y[:,3:5]
  mha $L:/x[:,5:] -w $L:/self_attn --heads 4 --causal $rotary --past-key more.h5 --past-value more.h5 -f -o last.h5
  tdiff last.h5:/y whole.h5:/y[:,5:]
done
