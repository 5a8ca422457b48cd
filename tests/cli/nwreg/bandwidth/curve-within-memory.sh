# Searches hold to --max-memory, whether or not the curve of all trials is written.
tconv linspace=0,1,600 --reshape 300,2 -o data.h5:/x
tconv linspace=0,9,300 -A -o data.h5:/y
for options in "" "--emit bandwidth-curve" "--isotropic --emit bandwidth-curve" "--bandwidth aicc --emit bandwidth-curve"; do
  # shellcheck disable=SC2086
  nwreg -x data.h5:/x -y data.h5:/y $options --quiet --max-memory 1M -f -o y.h5
done
code=0
nwreg -x data.h5:/x -y data.h5:/y --quiet --max-memory 2K -o none.h5 2>errors || code=$?
[ $code -eq 71 ] && [ ! -e none.h5 ] || echo "2K: $code $(cat errors)"
