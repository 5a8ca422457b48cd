# A safetensors file with a tensor of a dtype that is not read: the others are, and it is named wherever it matters.
le() { # a number below 256 in 8 bytes
  printf "\\$(printf %03o "$1")\\0\\0\\0\\0\\0\\0\\0"
}
file() { # HEADER BYTES
  le ${#1}
  printf %s "$1"
  head -c "$2" /dev/zero
}
file '{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"f8":{"dtype":"F8_E4M3","shape":[2,3],"data_offsets":[8,14]},"c":{"dtype":"I16","shape":[1],"data_offsets":[14,16]}}' 16 >a.safetensors
tconv --list a.safetensors
tconv --list a.safetensors:/f8
tdiff a.safetensors:/a 2=0
tdiff a.safetensors:/c i16=0
cat a.safetensors | tdiff -:/c i16=0
for operand in a.safetensors:/f8 a.safetensors; do
  code=0
  tconv $operand -o none.h5 2>&1 || code=$?
  echo $code
done
linear a.safetensors:/a -w 2x2=1 --keep 'f*' -o none.h5 2>&1 || echo $?
tconv a.safetensors --select a --select c -o some.safetensors
tconv --list some.safetensors
echo "-- damage"
file '{"a":{"dtype":"","shape":[2],"data_offsets":[0,8]}}' 8 >a.safetensors
tconv --list a.safetensors
tconv a.safetensors:/a -o none.h5 2>&1 || echo $?
file '{"a":{"dtype":"F8_E5M2","shape":[2],"data_offsets":[9,8]}}' 8 >a.safetensors
tconv --list a.safetensors 2>&1 || echo $?
file '{"a":{"dtype":"F8_E5M2","shape":[2],"data_offsets":[0,80]}}' 8 >a.safetensors
tconv --list a.safetensors 2>&1 || echo $?
file '{"a":{"dtype":"F8_E5M2","shape":["2"],"data_offsets":[0,8]}}' 8 >a.safetensors
tconv --list a.safetensors 2>&1 || echo $?
