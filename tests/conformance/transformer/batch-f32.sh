# PyTorch's nn.Transformer in f32: hidden states within 16 epsilon (1.2e-7) of their scale 4, logits within 32 of 5.5.
for model in transformer-post-norm-tied transformer-pre-norm-untied; do
  cases=$TESTDIR/$model/cases.h5:/batch
  transformer-run -m "$TESTDIR/$model" --ids "$cases/in/input_ids" --decoder-ids "$cases/in/decoder_input_ids" \
    --emit encoder,decoder -o $model.h5
  tdiff $model.h5:/encoder "$cases/out/encoder_last_hidden_state" --rtol 0 --atol 7.6e-6
  tdiff $model.h5:/decoder "$cases/out/decoder_last_hidden_state" --rtol 0 --atol 7.6e-6
  tdiff $model.h5:/y "$cases/out/logits" --rtol 0 --atol 2.1e-5
done
