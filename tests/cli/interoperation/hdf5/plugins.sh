# A filter without a decoder here is undone by a plugin of HDF5, only from a folder in HDF5_PLUGIN_PATH.
headers=$(pkg-config --cflags hdf5-serial 2>&1) && command -v cc >/dev/null || { echo "no cc, or no headers of HDF5" >&2; exit 77; }
cp "$FIXTURES"/hdf5/plugin.h5 "$FIXTURES"/hdf5/filters.h5 .
mkdir plugins others
# shellcheck disable=SC2086
cc -shared -fPIC $headers "$SUPPORT/plugin.c" -o plugins/libflip.so
echo "no library" >others/libflip.so
HDF5_PLUGIN_PATH=others:none:plugins tdiff plugin.h5:/x filters.h5:/plain
HDF5_PLUGIN_PATH=plugins tdiff 'plugin.h5:/x[::3,2]' 'filters.h5:/plain[::3,2]'
for folders in "" others; do
  code=0
  HDF5_PLUGIN_PATH=$folders tconv plugin.h5 -O csv || code=$?
  echo $code
done
