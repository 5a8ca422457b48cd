# A hundred thousand tensors are listed, copied and found by name in time that grows with their number, whatever their order in the file.
header=$(awk 'BEGIN {
  for (i = 100000; i-- > 0;)
    printf "%s\"t%d\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[0,%d]}", i == 99999 ? "{" : ",", i, i == 7, i == 7
  print "}"
}')
{
  size=${#header}
  for _ in 1 2 3 4 5 6 7 8; do
    # shellcheck disable=SC2059
    printf "\\$(printf %03o $((size % 256)))"
    size=$((size / 256))
  done
  printf '%s*' "$header"
} >many.safetensors
timeout 100 tconv --list many.safetensors >list
wc -l <list
tail -n 1 list
timeout 100 tconv many.safetensors:/t7 -O csv
timeout 100 tconv many.safetensors -o copy.safetensors
timeout 100 tdiff many.safetensors:/t7 copy.safetensors:/t7 --quiet
