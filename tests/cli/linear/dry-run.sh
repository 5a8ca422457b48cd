# A dry run shows the weights too, and counts them.
tconv linspace=0,1,12 --reshape 3,4 -o w.h5:/map/weight
tconv linspace=0,1,3 -A -o w.h5:/map/bias
linear 2x4=1 -w w.h5:/map --dry-run | sed 's/about [0-9]*/about N/'
