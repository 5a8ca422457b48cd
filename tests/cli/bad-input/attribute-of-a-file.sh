# An attribute of a file has less than 64 KB in HDF5. A text with a NUL byte inside is stored
# as it is, and no reference to it.
text=$(head -c 70000 /dev/zero | tr '\0' t)
header="{\"__metadata__\":{\"note\":\"a\\u0000$text\"},\"x\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,2]}}"
n=${#header}
# shellcheck disable=SC2059
printf "\\$(printf %03o $((n % 256)))\\$(printf %03o $((n / 256 % 256)))\\$(printf %03o $((n / 65536)))\\0\\0\\0\\0\\0%s\\1\\2" \
  "$header" >large.safetensors
tconv 1=1 -o there.h5:/there
for output in y.h5 -; do
  tconv large.safetensors -o $output 2>&1 || echo $?
  linear large.safetensors:/x -w 1x2=1,1 --keep x -o $output 2>&1 || echo $?
done
tconv large.safetensors -A -o there.h5 2>&1 || echo $?
ls
tconv large.safetensors:/x -o x.h5
tdiff x.h5 2xu8=1,2
