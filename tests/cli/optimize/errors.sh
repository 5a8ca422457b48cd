# Gradients and states that belong to something else.
. "$SUPPORT/try.sh"
# AdamW needs a state.
try optimize -w w.h5 -g d.h5:/d
# A gradient of no weight.
tconv 2=1,2 -o w.h5:/w
tconv 2=1,2 -o d.h5:/d/other
try optimize -w w.h5 -g d.h5:/d --optimizer sgd
# A state of another optimiser.
tconv 2=1,2 -o own.h5:/d/w
optimize -w w.h5 -g own.h5:/d --optimizer sgd --momentum 0.9 --state s.h5 -f -o w.h5
try optimize -w w.h5 -g own.h5:/d --state s.h5 -f -o w.h5
