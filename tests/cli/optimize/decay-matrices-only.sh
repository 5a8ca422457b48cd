# With --decay-matrices-only, tensors of one axis move as without weight decay, and the others as with it.
tconv 2x2xf64=1,2,3,4 -o w.h5:/layer/weight
tconv 2xf64=5,6 -A -o w.h5:/layer/bias
tconv 2x2xf64=1,0,-1,0.5 -o d.h5:/d/layer/weight
tconv 2xf64=1,-1 -A -o d.h5:/d/layer/bias
for engine in auto reference; do
  for rule in "adamw --state s.h5" "sgd"; do
    # shellcheck disable=SC2086
    step() { rm -f s.h5 && optimize -w w.h5 -g d.h5:/d --lr 0.1 --engine $engine --optimizer $rule "$@"; }
    step --weight-decay 0.5 -f -o decayed.h5
    step -f -o plain.h5
    step --weight-decay 0.5 --decay-matrices-only -f -o y.h5
    tdiff y.h5:/layer/weight decayed.h5:/layer/weight --strict
    tdiff y.h5:/layer/bias plain.h5:/layer/bias --strict
    tdiff y.h5 decayed.h5 --quiet >/dev/null || echo differs
  done
done
