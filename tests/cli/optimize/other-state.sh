# A state of another optimiser.
tconv 2=1,2 -o w.h5:/w
tconv 2=1,2 -o d.h5:/d/w
optimize -w w.h5 -g d.h5:/d --optimizer sgd --momentum 0.9 --state s.h5 -f -o w.h5
optimize -w w.h5 -g d.h5:/d --state s.h5 -f -o w.h5
