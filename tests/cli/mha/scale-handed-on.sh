# The scale of a model's scores goes along with its queries: three stages in a pipe give the bits of the whole.
w=$CONFORMANCE/models/t5/model.safetensors:/decoder.block.0.layer.1.EncDecAttention
posenc --length 9 --dim 32 | tconv - --stack 0 -o x.h5
mha x.h5 -w $w --emit q,k,v -o whole.h5
mha --stage project x.h5 -w $w -o qkv.h5
tconv --list qkv.h5 --select q | grep score_scale
for stage in attend "mha --stage attend" "attend -q qkv.h5:/q[:,:,:9] -k qkv.h5 -v"; do
  $stage qkv.h5 | mha --stage merge -w $w -f -o stages.h5
  tdiff whole.h5:/y stages.h5
done
mha --stage project x.h5 -w $w | tconv - --slab 0:1 --select '[qkv]' | mha --stage attend | mha --stage merge -w $w -f -o stages.h5
tdiff whole.h5:/y stages.h5
# What is said overrides it; what is emitted has it too; of a model that scales its scores there is none.
attend qkv.h5 --scale 0.5 | mha --stage merge -w $w -f -o half.h5
mha x.h5 -w $w --scale 0.5 --emit q,k,v -f -o whole.h5
tdiff half.h5 whole.h5:/y
for stage in attend "mha --stage attend" "mha --stage attend -w $w"; do
  $stage whole.h5 | mha --stage merge -w $w | tdiff - half.h5
done
mha --stage project $FIXTURES/layers/layers.h5:/x -w $FIXTURES/layers/layers.h5:/self_attn --heads 4 -o plain.h5
tconv --list plain.h5 | grep -c score_scale || true
