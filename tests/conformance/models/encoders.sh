# BERT and RoBERTa with each head: hidden states, attention maps, pooler and logits of every case, in f64 and f32.
failed=0
# tensor of the result, tensor of the case, bound
compare() {
  tdiff "y.h5:/$1" "$case/out/$2" --atol "$3" && return
  echo "$case: $2 differs in $dtype" && failed=1
}
for model in bert bert-classify bert-masked-lm bert-tokens bert-answer roberta-classify roberta-masked-lm; do
  folder=$TESTDIR/$model
  for name in one batch left-padded; do
    case=$folder/cases.h5:/$name
    inputs=$(tconv --list "$folder/cases.h5" | awk '{ print $1 }' | grep "^$name/in/") || continue
    set -- --ids "$case/in/input_ids"
    for option in mask=attention_mask type-ids=token_type_ids; do
      if printf '%s\n' "$inputs" | grep -q "/${option#*=}$"; then set -- "$@" "--${option%%=*}" "$case/in/${option#*=}"; fi
    done
    emit=encoder_hidden_states,encoder_attentions
    if [ $model = bert ]; then emit=$emit,pooler; fi
    # Sums of 32 to 64 terms through two layers; weights are large on purpose, so hidden states reach about 3, logits 10.
    for dtype in f64 f32; do
      if [ $dtype = f64 ]; then bound=1e-13; else bound=5e-5; fi
      transformer-run -m "$folder" "$@" --dtype $dtype --emit $emit -f -o y.h5
      for i in 0 1 2; do compare encoder_hidden_states/$i hidden_states/$i $bound; done
      for i in 0 1; do compare encoder_attentions/$i attentions/$i $bound; done
      case $model in
      bert) compare y last_hidden_state $bound && compare pooler pooler_output $bound ;;
      bert-answer) compare 'y[:,:,0]' start_logits $bound && compare 'y[:,:,1]' end_logits $bound ;;
      *) compare y logits $bound ;;
      esac
    done
  done
done
exit $failed
