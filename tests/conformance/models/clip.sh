# CLIP's two towers: hidden states, attention maps, vectors, and the scores of pictures and texts.
. "$TESTDIR/compare.shlib"
name=batch
tower() { # FOLDER INPUT OPTION... : a run of that tower
  folder=$TESTDIR/$1 case=$TESTDIR/$1/cases.h5:/$name input=$2
  shift 2
  if [ $input = pixel_values ]; then set -- --pixels "$case/in/pixel_values" "$@"; fi
  if [ $input = input_ids ]; then set -- --ids "$case/in/input_ids" --attention-mask "$case/in/attention_mask" "$@"; fi
  transformer-run -m "$folder" --dtype $dtype "$@" -f -o y.h5
}
states() {
  for i in 0 1 2; do compare hidden_states/$i $1/hidden_states/$i $bound; done
  for i in 0 1; do compare attentions/$i $1/attentions/$i $bound; done
}
for dtype in f64 f32; do
  bound=$(bound_of $dtype)
  tower clip-text input_ids --emit encoder
  compare y text_embeds $bound
  compare encoder last_hidden_state $bound
  tower clip-picture pixel_values --emit encoder
  compare y image_embeds $bound
  compare encoder last_hidden_state $bound
  tower clip input_ids --emit hidden_states,attentions
  compare y text_embeds $bound
  states text_model_output
  tconv y.h5:/y -f -o texts.npy
  tower clip pixel_values --task image-feature-extraction --emit hidden_states,attentions
  compare y image_embeds $bound
  states vision_model_output
  scale=$(tconv "$folder/model.safetensors:/logit_scale" --dtype f64 -O csv --no-header | awk '{ printf "%.17g", exp($1) }')
  attend --score dot --scale "$scale" --emit scores -q y.h5:/y -k texts.npy -v texts.npy -f -o scores.h5
  mv scores.h5 y.h5
  compare scores logits_per_image $bound
done
exit $failed
