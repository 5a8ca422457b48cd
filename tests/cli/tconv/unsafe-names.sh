# Names and texts from files go to the terminal with their control characters written out, and none is cut.
safetensors() {
  header="{\"$1\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
  # shellcheck disable=SC2059
  printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\0" "$header"
}
safetensors 'a\u001b[31mred\u009b\n' >colour.safetensors
tconv --list colour.safetensors
tconv --list --json colour.safetensors | grep '"name"'
tconv colour.safetensors --dry-run | grep colour
tconv colour.safetensors:/b || echo "exit code $?"
tconv colour.safetensors 1=2 --stats -o colour.h5
tconv --list colour.h5
tconv 1=1 -o y.h5
tdiff colour.h5 y.h5 || echo "exit code $?"
safetensors 'cut\u0000off' >cut.safetensors
tconv --list cut.safetensors
for output in cut.h5 cut.csv; do
  tconv cut.safetensors -o $output || echo "exit code $?"
  [ ! -e $output ]
done
# A name that is no UTF-8 fits HDF5, not safetensors.
tconv "$FIXTURES/hdf5/latin-1-name.h5" -O safetensors -o latin.safetensors || echo "exit code $?"
[ ! -e latin.safetensors ]
