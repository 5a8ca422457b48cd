# XLNet's weights bring relative positions; segments change scores only where they differ.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/xlnet --heads 4 -o none.h5
mha $L:/x -w $L:/xlnet --heads 4 --segments 2x6xi64=1,1,1,1,1,1,7,7,7,7,7,7 -o same.h5
tdiff none.h5 same.h5 --rtol 1e-13 --atol 1e-13
mha $L:/x -w $L:/xlnet --heads 4 --segments $L:/segments -o other.h5
if tdiff none.h5 other.h5 >/dev/null; then echo "--segments is ignored"; fi
mha $L:/x -w $L:/xlnet --heads 4 --engine reference -o reference.h5
tdiff none.h5 reference.h5 --rtol 1e-13 --atol 1e-13
# Distances are clamped as the config.json beside the weights says: the whole model's attention is ours.
m=$CONFORMANCE/models/heads/xlnet-forgets
transformer-run -m "$m" --dtype f64 --ids 1x9xi64=3,6,7,8,9,4,3,11,6 --trace run.h5 -o y.h5
mha run.h5:/encoder/input -w "$m/model.safetensors:/transformer.layer.0.rel_attn" --segments 1x9xi64=0,0,0,0,0,0,0,0,0 \
  -o attention.h5
tdiff attention.h5:/y run.h5:/encoder/0/self_attn/output --rtol 1e-13 --atol 1e-13
# Memories go in front of the rows, so that the queries are the last of the keys: the layer of the whole model again.
m=$CONFORMANCE/models/xlnet
w=$m/model.safetensors:/transformer.layer.1.rel_attn
transformer-run -m "$m" --dtype f64 --ids 1x4xi64=17,23,42,9 --emit mems -o first.h5
transformer-run -m "$m" --dtype f64 --ids 1x3xi64=51,8,40 --mems first.h5 --trace second.h5 -f -o y.h5
tconv "second.h5:/encoder/mems/1[:,0]" "second.h5:/encoder/0/output[0]" --concat 0 -o keys.h5
mha "second.h5:/encoder/0/output[0]" --memory keys.h5 -w "$w" --segments 1x7xi64=0,0,0,0,0,0,0 -o memory.h5
tdiff memory.h5:/y "second.h5:/encoder/1/self_attn/output[0]" --rtol 1e-13 --atol 1e-13
mha keys.h5 --memory "second.h5:/encoder/0/output[0]" -w "$w" -o few.h5 2>&1 || echo $?
