# BERT and RoBERTa with each head: hidden states, attention maps, pooler and logits of every case, in f64 and f32.
. "$TESTDIR/compare.shlib"
for model in bert bert-classify bert-masked-lm bert-tokens bert-answer roberta-classify roberta-masked-lm; do
  folder=$TESTDIR/$model
  for name in one batch left-padded; do
    has in/input_ids || continue
    case=$folder/cases.h5:/$name
    emit=hidden_states,attentions
    if [ $model = bert ]; then emit=$emit,pooler_output; fi
    for dtype in f64 f32; do
      bound=$(bound_of $dtype)
      run --ids "$case/in/input_ids" --emit $emit
      if has out/hidden_states/0; then
        for i in 0 1 2; do compare hidden_states/$i hidden_states/$i $bound; done
        for i in 0 1; do compare attentions/$i attentions/$i $bound; done
      fi
      case $model in
      bert) compare y last_hidden_state $bound && compare pooler_output pooler_output $bound ;;
      bert-answer) compare 'y[:,:,0]' start_logits $bound && compare 'y[:,:,1]' end_logits $bound ;;
      *) compare y logits $bound ;;
      esac
    done
  done
done
exit $failed
