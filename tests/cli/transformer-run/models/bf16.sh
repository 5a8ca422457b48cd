# --dtype bf16 allows products of weights in bf16 to round what they are multiplied with: near the f32 result, the same
# bits in a batch and alone; weights in f32 are multiplied as they are.
mkdir m
cp "$CONFORMANCE/models/gpt2/config.json" m
f32=$CONFORMANCE/models/gpt2
tconv "$f32/model.safetensors" --dtype bf16 -o m/model.safetensors
ids=2x6xi64=3,1,4,1,5,9,2,6,5,3,5,8
transformer-run -m m --decoder-ids "$ids" --emit hidden_states -o exact.h5
transformer-run -m m --decoder-ids "$ids" --dtype bf16 --emit hidden_states -o rounded.h5
# Logits reach 20; each of nine products rounds by up to 2^-9, and so does the result.
tdiff rounded.h5:/y exact.h5:/y --rtol 0 --atol 0.3
transformer-run -m m --decoder-ids 1x6xi64=2,6,5,3,5,8 --dtype bf16 --emit hidden_states -o alone.h5
tdiff alone.h5:/y rounded.h5:/y[1:] --rtol 0 --atol 0
