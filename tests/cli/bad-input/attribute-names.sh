# Metadata of safetensors may have names that no attribute of HDF5 has, and what is advised
# then works.
write() { # FILE METADATA
  header="{\"__metadata__\":{$2},\"x\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]},\"z\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,3]}}"
  # shellcheck disable=SC2059
  printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\1\\2\\3" "$header" >"$1"
}
write none.safetensors '"":"none"'
write nul.safetensors '"a\u0000b":"none"'
tconv 1=1 -o there.h5:/there
for file in none nul; do
  tconv $file.safetensors -o y.h5 2>&1 || echo $?
  tconv $file.safetensors -O h5 2>&1 || echo $?
  tconv $file.safetensors -A -o there.h5 2>&1 || echo $?
  linear $file.safetensors:/x -w 1x2=1,1 --keep z -o y.h5 2>&1 || echo $?
  tconv $file.safetensors -o $file-again.safetensors
  tconv --list $file-again.safetensors | grep -c '= none'
  tconv $file.safetensors:/x -o $file.h5
  tconv $file.h5 -O csv --no-header
done
ls
