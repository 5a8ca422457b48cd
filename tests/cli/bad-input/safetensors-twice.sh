# What describes a tensor of a safetensors file is there once, and so are its metadata; of texts of one name, and of
# tensors, the last counts. So says the safetensors package.
read_header() { # HEADER
  # shellcheck disable=SC2059
  printf "\\$(printf %03o ${#1})\\0\\0\\0\\0\\0\\0\\0%s\\1\\0\\0\\0" "$1" >x.safetensors
  tconv --list x.safetensors 2>&1 || echo $?
}
i32='{"dtype":"I32","shape":[1],"data_offsets":[0,4]}'
read_header '{"a":{"dtype":"F32","dtype":"I32","shape":[1],"data_offsets":[0,4]}}'
read_header '{"a":{"dtype":"I32","shape":[1],"shape":[1],"data_offsets":[0,4]}}'
read_header '{"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4],"data_offsets":[0,4]}}'
read_header "{\"__metadata__\":{\"m\":\"1\"},\"__metadata__\":{\"m\":\"2\"},\"a\":$i32}"
read_header "{\"__metadata__\":{\"m\":\"1\",\"m\":\"2\",\"dtype\":\"3\",\"dtype\":\"4\"},\"a\":$i32}"
read_header '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}'
read_header '{"a":{"note":1,"note":2,"dtype":"I32","shape":[1],"data_offsets":[0,4]}}'
