# Of names that no operand tells apart one is read; the others are listed as not readable and refused, not mistaken.
write() { # file, header of as many bytes as fit a byte, floats
  printf "\\$(printf %03o ${#2})\\0\\0\\0\\0\\0\\0\\0%s$3" "$2" >"$1"
}
write slash.safetensors '{"/w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"w":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}' \
  '\0\0\200\77\0\0\0\100'
tconv --list slash.safetensors
tconv slash.safetensors:/w -O csv --no-header
tconv slash.safetensors -O csv 2>&1 || echo $?
write empty.safetensors '{"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}' \
  '\0\0\200\77\0\0\0\100'
tconv --list empty.safetensors
tconv empty.safetensors:/a -O csv --no-header
