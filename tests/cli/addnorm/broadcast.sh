# Gain and offset that broadcast to the axes are those written out (ONNX LayerNormalization: scale and B).
x=2x2x3=1,2,3,4,5,7,0,1,0,2,9,4
addnorm --no-residual $x --axis 1 -w 2x3=1,2,3,1,2,3 -b 2x3=5,5,5,5,5,5 -o whole.h5
addnorm --no-residual $x --axis 1 -w 3=1,2,3 -b 1=5 --check whole.h5:/y -o y.h5
addnorm --no-residual $x --axis 1 -w 1x3=1,2,3 -b 2x1=5,5 --check whole.h5:/y -f -o y.h5
addnorm --no-residual $x --axis 1 -w 2=1,2 -o z.h5 || echo "exit $?"
addnorm --no-residual $x --axis 1 -w 1x2x3=1,2,3,1,2,3 -o z.h5 || echo "exit $?"
