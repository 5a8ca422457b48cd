# A gradient of no weight.
tconv 2=1,2 -o w.h5:/w
tconv 2=1,2 -o d.h5:/d/other
optimize -w w.h5 -g d.h5:/d --optimizer sgd
