# Residual and norm, in every order; statistics; kinds and epsilon.
L=$FIXTURES/layers/layers.h5
linear $L:/x -w $L:/self_attn/out_proj --keep-input -o sub.h5
addnorm sub.h5 -w $L:/norm -o y.h5
addnorm sub.h5:/y --residual $L:/x -w $L:/norm | tdiff - y.h5
addnorm --no-norm sub.h5 -o sum.h5
addnorm --no-residual sum.h5 -w $L:/norm | tdiff - y.h5
addnorm --norm-first sub.h5 -w $L:/norm -o first.h5
tdiff first.h5:/y y.h5:/y
tdiff first.h5:/x sum.h5:/y
addnorm sub.h5 -w $L:/norm/weight -b $L:/norm/bias | tdiff - y.h5
addnorm sub.h5 -w $L:/norm/weight -o gain.h5
if tdiff gain.h5 y.h5 >/dev/null; then echo "--bias is ignored"; fi
# Pipes of stages: a residual travels beside the result.
linear --keep-input $L:/x -w $L:/self_attn/out_proj | addnorm -w $L:/norm | tdiff - y.h5
addnorm --no-residual 1x4=1,2,3,6 --eps 0 --emit mean,inverse-deviation -o s.h5
tconv s.h5:/mean -O csv
tconv s.h5:/inverse-deviation -O csv --precision 6
addnorm --no-residual 1x2=3,4 --kind rms --eps 0 --precision 6 -O csv
addnorm --no-residual 1x2=3,4 --kind rms --eps 12.5 --precision 6 -O csv
addnorm --no-residual 2x2=0,2,4,6 --axis 0 --eps 0 --precision 6 -O csv
