# --attention-mask is 0 where there is no token, whatever type the numbers have: for attention, pooling and generation alike.
for model in bert t5 gpt2; do
  cp -R "$CONFORMANCE/models/$model" .
done
for type in i64 f32; do
  transformer-run -m bert --ids 1x4xi64=5,6,7,8 --attention-mask 1x4x$type=2,2,0,0 --emit pooled,encoder --pool mean -o bert-$type.h5
  transformer-run -m t5 --ids 1x4xi64=5,6,7,8 --attention-mask 1x4x$type=1,1,0,0 --max-new-tokens 3 -o t5-$type.h5
  transformer-run -m gpt2 --ids 1x4xi64=5,6,7,8 --attention-mask 1x4x$type=0,0,1,1 --max-new-tokens 3 -o gpt2-$type.h5
done
transformer-run -m bert --ids 1x3xi64=5,6,7 --attention-mask 1x3xf32=0,0,-1e9 -O csv 2>&1 || echo $?
for model in bert t5 gpt2; do tdiff $model-i64.h5 $model-f32.h5; done
