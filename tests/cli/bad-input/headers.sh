# What the header of a file of tensors cannot mean is refused, with the tensor.
list() { tconv "$1" --list 2>&1 || echo $?; }
safetensors() {
  printf "\\$(printf %o ${#1})\\0\\0\\0\\0\\0\\0\\0%s01234567" "$1" >x.safetensors
  list x.safetensors
}
safetensors '{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}'
safetensors '{"x": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [1], "data_offsets": [8, 4]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0]}}'
safetensors '{"x": {"dtype": "F32", "shape": 2, "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": 32, "shape": [2], "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2], "data_offsets": 8}}'
safetensors '{"x": {"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2.0], "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2], "data_offsets": [0, "8"]}}'
safetensors '{"x": {"shape": [2], "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": "F32", "data_offsets": [0, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [2]}}'
safetensors '{"x": []}'
safetensors '{"x": {"dtype": "F4", "shape": [16], "data_offsets": [0, 8]}}'
safetensors '{"": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}'
safetensors '{"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "": {"dtype": "U8", "shape": [4], "data_offsets": [4, 8]}}'
safetensors '{"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "/a": {"dtype": "U8", "shape": [4], "data_offsets": [4, 8]}}'
safetensors '{"a": {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}, "b": {"dtype": "U8", "shape": [5], "data_offsets": [3, 8]}}'
safetensors '{"x": {"dtype": "F32", "shape": [1, 1, 1, 1, 1, 1, 1, 1, 1, 2], "data_offsets": [0, 8]}}'
safetensors '{"x": '
safetensors '[]'
printf '\001\000\000\000\000\000\000\001{}      ' >x.safetensors
list x.safetensors
npy() {
  printf '\223NUMPY' >x.npy
  printf "$1" >>x.npy
  printf '%-59s\n0123456701234567' "$2" >>x.npy
  list x.npy
}
npy '\001\000\074\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
npy '\002\000\074\000\000\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
npy '\003\000\074\000\000\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
npy '\004\000\074\000\000\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
npy '\000\000\074\000\000\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
npy '\002\000\001\000\020\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
npy '\001\000\074\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)"
npy '\001\000\074\000' "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,), }"
npy '\001\000\074\000' "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2,), }"
npy '\001\000\074\000' "{'descr': '<f8', 'fortran_order': False, 'form': (2,), }"
npy '\001\000\074\000' "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }"
npy '\001\000\074\000' "{'descr': '<f8', 'fortran_order': False, 'shape': 2, }"
