# What queries hand on is lost in formats that keep no attributes of tensors: a line says so, and what to say instead.
t5=$CONFORMANCE/models/t5/model.safetensors:/decoder.block.0.layer.1.EncDecAttention
posenc --length 9 --dim 32 -o x.h5
mha x.h5 -w $t5 --emit q,k,v -o whole.h5
mha --stage project x.h5 -w $t5 -o qkv.safetensors
mha --stage attend qkv.safetensors --scale 1 | mha --stage merge -w $t5 | tdiff - whole.h5:/y
attend qkv.safetensors --scale 1 --layout heads-first | mha --stage merge -w $t5 | tdiff - whole.h5:/y
tconv whole.h5:/q -O csv -o q.csv
attend -q q.csv -k whole.h5 -v whole.h5 --scale 1 --layout heads-first | mha --stage merge -w $t5 | tdiff - whole.h5:/y
attend whole.h5 --keep q -O safetensors >/dev/null
mha --stage project x.h5 -w $t5 -O safetensors --quiet >/dev/null
mha x.h5 -w $t5 --scale 0.5 --emit q -O safetensors >/dev/null
# Where nothing is lost there is nothing to say.
mha --stage project x.h5 -w $t5 | tconv - -o copy.h5
layer=$FIXTURES/layers/layers.h5
mha --stage project $layer:/x -w $layer:/self_attn --heads 4 -O safetensors >/dev/null
