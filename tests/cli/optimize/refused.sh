# Rates outside their ranges, and gradients of another shape, are refused.
tconv 2=1,2 -o w.h5:/w
tconv 2=1,2 -o d.h5:/d/w
tconv 3=1,2,3 -o other.h5:/d/w
refused() { optimize -w w.h5 "$@" -O csv 2>&1 && echo "not refused: $*" || echo "$? of $*"; }
refused -g other.h5:/d --optimizer sgd
refused -g d.h5:/d --optimizer sgd --lr -1
refused -g d.h5:/d --optimizer sgd --lr inf
refused -g d.h5:/d --optimizer sgd --momentum 1 --state s.h5
refused -g d.h5:/d --optimizer sgd --momentum -0.1 --state s.h5
refused -g d.h5:/d --optimizer sgd --weight-decay -1
refused -g d.h5:/d --optimizer sgd --weight-decay inf
refused -g d.h5:/d --state s.h5 --betas 1,0.9
refused -g d.h5:/d --state s.h5 --betas 0.9,1
refused -g d.h5:/d --state s.h5 --betas -0.1,0.9
refused -g d.h5:/d --state s.h5 --betas 0.9,-0.1
refused -g d.h5:/d --state s.h5 --eps -1
refused -g d.h5:/d --state s.h5 --eps inf
[ ! -e s.h5 ]
# The ends of the ranges are in them.
optimize -w w.h5 -g d.h5:/d --optimizer sgd --lr 0 --momentum 0 --weight-decay 0 -O csv --no-header
optimize -w w.h5 -g d.h5:/d --state s.h5 --betas 0,0 --eps 0 --weight-decay 0 --lr 1 -O csv --no-header
