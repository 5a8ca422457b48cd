# A dry run shows each weight that is used, once, and none that is not.
tconv linspace=-1,1,24 --reshape 6,4 -o w.h5:/linear1/weight
tconv linspace=-1,1,6 -A -o w.h5:/linear1/bias
tconv linspace=-1,1,24 --reshape 4,6 -A -o w.h5:/linear2/weight
tconv linspace=-1,1,4 -A -o w.h5:/norm/weight
ffn 2x4=1 -w w.h5 --dry-run | grep '^read'
