# XLNet's weights bring relative positions; segments change scores only where they differ.
L=$FIXTURES/layers/layers.h5
mha $L:/x -w $L:/xlnet --heads 4 -o none.h5
mha $L:/x -w $L:/xlnet --heads 4 --segments 2x6xi64=1,1,1,1,1,1,7,7,7,7,7,7 -o same.h5
tdiff none.h5 same.h5 --rtol 1e-13 --atol 1e-13
mha $L:/x -w $L:/xlnet --heads 4 --segments $L:/segments -o other.h5
if tdiff none.h5 other.h5 >/dev/null; then echo "--segments is ignored"; fi
mha $L:/x -w $L:/xlnet --heads 4 --engine reference -o reference.h5
tdiff none.h5 reference.h5 --rtol 1e-13 --atol 1e-13
