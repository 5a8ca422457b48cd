# "__metadata__": null is none, as the safetensors package reads it.
header='{"__metadata__":null,"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}      '
printf "\\$(printf %03o ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\7" "$header" >null.safetensors
tconv --list null.safetensors
tconv null.safetensors -O csv --no-header
