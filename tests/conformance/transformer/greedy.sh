# PyTorch's nn.Transformer: 12 tokens of greedy decoding past any end token, in f32 and f64.
for model in transformer-post-norm-tied transformer-pre-norm-untied; do
  for dtype in f32 f64; do
    transformer-run -m "$TESTDIR/$model" --dtype $dtype --ids "$TESTDIR/$model/cases.h5:/greedy/in/input_ids" \
      --max-new-tokens 12 --ignore-end -o $model-$dtype.h5
    tdiff $model-$dtype.h5 "$TESTDIR/$model/cases.h5:/greedy/out/sequences" --rtol 0 --atol 0
  done
done
