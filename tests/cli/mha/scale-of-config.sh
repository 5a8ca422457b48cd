# GPT-2's scores are scaled as config.json says, by the number of the layer too: the whole and three stages give the bits
# of transformer-run. An option overrides it; a layer without a number is refused.
gpt2=$CONFORMANCE/models/gpt2
cp -r "$gpt2" model
chmod -R u+w model
for fields in true,false false,false true,true false,true; do
  sed "s/\(\"scale_attn_weights\": \).*/\1${fields%,*},/; s/\(\"scale_attn_by_inverse_layer_idx\": \).*/\1${fields#*,},/" \
    "$gpt2/config.json" >model/config.json
  transformer-run -m model --decoder-ids 1x8xi64=7,8,9,10,11,12,7,8 --trace t.h5 -f -o y.h5
  for layer in 0 1; do
    x=t.h5:/decoder/$layer/norm1 y=t.h5:/decoder/$layer/self_attn w=model/model.safetensors:/transformer.h.$layer.attn
    mha $x -w $w --causal --emit weights -f -o m.h5
    tdiff m.h5:/y $y/output || echo "differs: $fields, layer $layer"
    tdiff m.h5:/weights $y/weights
    mha --stage project $x -w $w -f -o qkv.h5
    for stage in attend "mha --stage attend" "mha --stage attend -w $w"; do
      $stage qkv.h5 --causal | mha --stage merge -w $w -f -o m.h5
      tdiff m.h5 $y/output || echo "differs: $stage, $fields, layer $layer"
    done
    # What says no scale, the layer's weights know.
    tconv qkv.h5 --select '[qkv]' --quiet -f -o q.safetensors
    mha --stage attend q.safetensors -w $w --causal | mha --stage merge -w $w -f -o m.h5
    tdiff m.h5 $y/output || echo "differs without an attribute: $fields, layer $layer"
  done
  mha $x -w $w --causal --scale 0.3535533905932738 -f -o m.h5 # 1 / sqrt(8), whatever the config
  mha $x -w "$gpt2/model.safetensors:/transformer.h.1.attn" --causal -f -o plain.h5
  tdiff m.h5 plain.h5
done
tconv --list qkv.h5 --select q | grep score_scale
mkdir layer
cp model/config.json layer
for part in c_attn.weight c_attn.bias c_proj.weight c_proj.bias; do
  tconv model/model.safetensors:/transformer.h.1.attn.$part -A -o layer/w.h5:/attn.$part
done
mha $x -w layer/w.h5:/attn --causal -f -o m.h5 2>&1 || echo "exit $?"
