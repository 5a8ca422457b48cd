# XLNet: plain, left-padded with segments, and permuted with a target: hidden states and attention maps of both streams,
# logits, in f64 and f32.
. "$TESTDIR/compare.shlib"
folder=$TESTDIR/xlnet
for name in one batch permutation; do
  case=$folder/cases.h5:/$name
  for dtype in f64 f32; do
    bound=$(bound_of $dtype)
    if [ $name = permutation ]; then
      run --ids "$case/in/input_ids" --emit hidden_states,attentions --perm-mask "$case/in/perm_mask" \
        --target-mapping "$case/in/target_mapping"
      states="0 1 2 3 4 5" maps="0/0 0/1 1/0 1/1"
    else
      run --ids "$case/in/input_ids" --emit hidden_states,attentions
      states="0 1 2" maps="0 1"
    fi
    compare y logits $bound
    for i in $states; do compare hidden_states/$i hidden_states/$i $bound; done
    for i in $maps; do compare attentions/$i attentions/$i $bound; done
  done
done
exit $failed
