# ViT and TimeSformer with its three kinds of attention: hidden states, attention maps and logits from pixel values.
. "$TESTDIR/compare.shlib"
for model in vit-classify timesformer-divided-space-time timesformer-joint-space-time timesformer-space-only; do
  folder=$TESTDIR/$model name=batch
  case=$folder/cases.h5:/$name
  for dtype in f64 f32; do
    bound=$(bound_of $dtype)
    run --pixels "$case/in/pixel_values" --emit hidden_states,attentions
    compare y logits $bound
    for i in 0 1 2; do compare hidden_states/$i hidden_states/$i $bound; done
    for i in 0 1; do compare attentions/$i attentions/$i $bound; done
  done
done
exit $failed
