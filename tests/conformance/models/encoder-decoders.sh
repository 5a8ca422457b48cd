# BART and T5: hidden states, attention maps and logits of both stacks; BART's classifier.
. "$TESTDIR/compare.shlib"
for model in bart t5 t5-gated; do
  folder=$TESTDIR/$model
  for name in one batch; do
    case=$folder/cases.h5:/$name
    groups="encoder_hidden_states decoder_hidden_states encoder_attentions decoder_attentions cross_attentions"
    for dtype in f64 f32; do
      # T5 has no score scale, so its softmaxes are steep: an error of a score multiplies by its size, 10 and more.
      bound=$(bound_of $dtype 5e-4)
      run --ids "$case/in/input_ids" --decoder-ids "$case/in/decoder_input_ids" --emit encoder,"$(echo $groups | tr ' ' ,)"
      compare y logits $bound
      compare encoder encoder_last_hidden_state $bound
      for group in $groups; do
        for i in 0 1; do compare $group/$i $group/$i $bound; done
      done
    done
  done
done
folder=$TESTDIR/bart-classify name=batch
case=$folder/cases.h5:/$name
for dtype in f64 f32; do
  run --ids "$case/in/input_ids" --emit encoder
  compare y logits "$(bound_of $dtype)"
  compare encoder encoder_last_hidden_state "$(bound_of $dtype)"
done
exit $failed
