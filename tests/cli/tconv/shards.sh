# The index of weights in several files names all of their tensors.
. "$SUPPORT/try.sh"
tconv 2x2=1,2,3,4 -o 1.safetensors:/a
tconv 3=5,6,7 -o 2.safetensors:/b
printf '{"metadata": {"total_size": 56}, "weight_map": {"a": "1.safetensors", "b": "2.safetensors"}}\n' >w.index.json
try tconv --list w.index.json
try linear 1x2=1,2 -w w.index.json:/a -O csv
tconv w.index.json -o both.h5 && tdiff both.h5:/b 2.safetensors
try tconv --list - <w.index.json
printf '{"weight_map": {"a": "self.json"}}' >self.json
printf '{"weight_map": {"a": "3.safetensors"}}' >missing.json
printf '{"weight_map": {"c": "1.safetensors"}}' >other.json
printf '{"weight_map": {"a": "../1.safetensors"}}' >outside.json
printf '{"weight_map": {"a"' >cut.json
for name in self missing other outside cut; do try tconv --list $name.json; done
