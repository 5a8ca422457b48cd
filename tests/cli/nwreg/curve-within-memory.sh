# What --dry-run says of memory is enough where a bandwidth is searched that few samples leave many trials for, whether or
# not the curve of all trials is written.
tconv linspace=0,1,600 --reshape 300,2 -o data.h5:/x
tconv linspace=0,9,300 -A -o data.h5:/y
for options in "" "--emit bandwidth-curve" "--isotropic --emit bandwidth-curve" "--bandwidth aicc --emit bandwidth-curve"; do
  # shellcheck disable=SC2086
  needed=$(nwreg -x data.h5:/x -y data.h5:/y $options -n | sed -n 's|^memory  \(.*\) bytes$|\1|p')
  # shellcheck disable=SC2086
  nwreg -x data.h5:/x -y data.h5:/y $options --quiet --max-memory "$needed" -f -o y.h5
done
