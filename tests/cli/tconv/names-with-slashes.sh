# A name of safetensors may have slashes anywhere, which operands need not give at its ends; what HDF5 would make
# another name of is refused.
safetensors() {
  header="{\"$1\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}"
  # shellcheck disable=SC2059
  printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\0" "$header"
}
for name in /a//b /a a/ a/./b ./a; do
  safetensors "$name" >"in.safetensors"
  tconv in.safetensors --no-history -f -o out.safetensors
  tconv --list out.safetensors
  tconv "in.safetensors:/$name" -f -o out.csv
  rm -f out.h5
  tconv in.safetensors -o out.h5 || echo "exit code $?"
  [ ! -e out.h5 ] || tconv --list out.h5 | grep -v @
done
tconv 1=1 -o out.h5:/b
tconv in.safetensors -A -o out.h5 || echo "exit code $?"
tconv in.safetensors --rename ./a=a -A -o out.h5
tconv --list out.h5 | grep -v @
