# PyTorch's nn.Transformer: encoder, decoder and logits of a padded batch, f64 within 1e-12 of the scale.
for model in transformer-post-norm-tied transformer-pre-norm-untied; do
  cases=$TESTDIR/$model/cases.h5:/batch
  transformer-run -m "$TESTDIR/$model" --dtype f64 --ids "$cases/in/input_ids" --decoder-ids "$cases/in/decoder_input_ids" \
    --emit encoder,decoder -o $model.h5
  tdiff $model.h5:/encoder "$cases/out/encoder_last_hidden_state" --rtol 0 --atol 3.1e-12
  tdiff $model.h5:/decoder "$cases/out/decoder_last_hidden_state" --rtol 0 --atol 3.1e-12
  tdiff $model.h5:/y "$cases/out/logits" --rtol 0 --atol 5e-12
done
