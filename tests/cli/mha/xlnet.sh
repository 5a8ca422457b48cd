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
m=$TESTDIR/../../conformance/models/heads/xlnet-forgets
transformer-run -m "$m" --dtype f64 --ids 1x9xi64=3,6,7,8,9,4,3,11,6 --trace run.h5 -o y.h5
mha run.h5:/encoder/input -w "$m/model.safetensors:/transformer.layer.0.rel_attn" --segments 1x9xi64=0,0,0,0,0,0,0,0,0 \
  -o attention.h5
tdiff attention.h5:/y run.h5:/encoder/0/self_attn/output --rtol 1e-13 --atol 1e-13
