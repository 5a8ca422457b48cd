# A safetensors file cut inside its first bytes is truncated; one that does not begin like one is not taken for text.
file=$EXAMPLES/dates/model.safetensors
for bytes in 4 8 12 100; do
  head -c $bytes "$file" >cut.safetensors
  tconv --list cut.safetensors 2>&1 || echo $?
done
printf '\377\377\377\377\377\377\377\377{"a": 1}' >long.safetensors
tconv --list long.safetensors 2>&1 || echo $?
printf 'a table, but not called one\n1,2\n' >table.safetensors
tconv --list table.safetensors 2>&1 || echo $?
