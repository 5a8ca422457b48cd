# A tensor of a safetensors file that has no name is read where it is alone, and gets one with -o or --rename; beside
# others no operand means it.
write() { # FILE HEADER DATA
  # shellcheck disable=SC2059
  printf "\\$(printf %03o ${#2})\\0\\0\\0\\0\\0\\0\\0%s$3" "$2" >"$1"
}
write alone.safetensors '{"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}' '\7'
write two.safetensors '{"":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}' '\7\10'
tconv alone.safetensors -O csv 2>&1 || echo $?
tconv alone.safetensors -O csv -o -:/a
tconv alone.safetensors -O csv --rename =b
tconv --list two.safetensors
tconv two.safetensors 2>&1 || echo $?
tconv two.safetensors:/a -O csv --no-header
