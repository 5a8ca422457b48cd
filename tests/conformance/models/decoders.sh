# GPT-2 and Llama: hidden states, attention maps and logits of a pass over given tokens, in f64 and f32.
. "$TESTDIR/compare.shlib"
for model in gpt2 llama; do
  folder=$TESTDIR/$model
  for name in one batch; do
    case=$folder/cases.h5:/$name
    for dtype in f64 f32; do
      bound=$(bound_of $dtype)
      run --decoder-ids "$case/in/input_ids" --emit hidden_states,attentions
      compare y logits $bound
      has out/hidden_states/0 || continue
      for i in 0 1 2; do compare hidden_states/$i hidden_states/$i $bound; done
      for i in 0 1; do compare attentions/$i attentions/$i $bound; done
    done
  done
done
exit $failed
