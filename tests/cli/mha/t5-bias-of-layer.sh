# T5's relative bias lies with the first layer of each stack, and is taken from there for all layers: the bits of
# transformer-run. A file without it is refused, unless --t5-bias or --bias gives one; cross-attention has none.
t5=$CONFORMANCE/models/t5
model=$t5/model.safetensors
transformer-run -m "$t5" --ids 1x9xi64=7,8,9,10,11,12,7,8,9 --decoder-ids 1x7xi64=0,8,9,10,11,12,7 --trace t.h5 -o y.h5
for stack in encoder decoder; do
  [ $stack = encoder ] && causal='' || causal=--causal
  x=t.h5:/$stack/0/norm1 y=t.h5:/$stack/0/self_attn/output w=$model:/$stack.block.0.layer.0.SelfAttention
  table=$w.relative_attention_bias.weight
  mha $x -w $w $causal -f -o whole.h5
  tdiff whole.h5:/y $y || echo "$stack differs"
  for stage in "-w $w" "--t5-bias $table" "--t5-bias ${table%.weight}"; do
    mha --stage project $x -w $w | mha --stage attend $stage $causal | mha --stage merge -w $w -f -o stages.h5
    tdiff stages.h5 $y || echo "$stack differs: $stage"
  done
  mha $x[:,:4] -w $w $causal --emit keys,values -f -o past.h5
  mha $x[:,4:] -w $w $causal --past-key past.h5 --past-value past.h5 -f -o m.h5
  [ $stack = encoder ] || tdiff m.h5:/y $y[:,4:]
  mha t.h5:/$stack/1/norm1 -w $model:/$stack.block.1.layer.0.SelfAttention $causal --t5-bias $table -f -o m.h5
  tdiff m.h5:/y t.h5:/$stack/1/self_attn/output || echo "$stack 1 differs"
  # What options say
  tconv "$table[::-1]" -f -o other.h5
  mha $x -w $w $causal --t5-bias other.h5 -f -o m.h5
  if tdiff m.h5:/y $y >/dev/null; then echo "--t5-bias is ignored"; fi
  mha $x -w $w $causal --t5-max-distance 5 -f -o m.h5
  if tdiff m.h5:/y $y >/dev/null; then echo "--t5-max-distance is ignored"; fi
done
mha t.h5:/encoder/0/norm1 -w $model:/encoder.block.0.layer.0.SelfAttention --t5-causal -f -o m.h5
if tdiff m.h5:/y t.h5:/encoder/0/self_attn/output >/dev/null; then echo "--t5-causal is ignored"; fi
for stack in encoder decoder; do
  [ $stack = encoder ] && causal='' || causal=--causal
  mha t.h5:/$stack/1/norm1 -w $model:/$stack.block.1.layer.0.SelfAttention $causal -f -o m.h5
  tdiff m.h5:/y t.h5:/$stack/1/self_attn/output || echo "$stack 1 differs"
done
mkdir layer
cp "$t5/config.json" layer
tconv $model --select 'encoder.block.1.*' -o layer/w.h5
w=layer/w.h5:/encoder.block.1.layer.0.SelfAttention
mha t.h5:/encoder/1/norm1 -w $w -f -o m.h5 2>&1 || echo $?
mha --stage project t.h5:/encoder/1/norm1 -w $w -f -o m.h5
mha t.h5:/encoder/1/norm1 -w $w --t5-bias $model:/encoder.block.0.layer.0.SelfAttention.relative_attention_bias -f -o m.h5
tdiff m.h5:/y t.h5:/encoder/1/self_attn/output
mha t.h5:/encoder/1/norm1 -w $w --bias 1x4x1x1xf32=0 -f -o m.h5
mha t.h5:/decoder/0/norm2 --memory t.h5:/encoder/output -w $model:/decoder.block.0.layer.1.EncDecAttention -f -o m.h5
tdiff m.h5:/y t.h5:/decoder/0/cross_attn/output
# Old files have a table with cross-attention that no model uses.
tconv $model --select 'decoder.block.0.layer.1.EncDecAttention.*' -o old.h5
tconv $model:/decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight \
  -A -o old.h5:/decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight
mha t.h5:/decoder/0/norm2 --memory t.h5:/encoder/output -w old.h5:/decoder.block.0.layer.1.EncDecAttention \
  --heads 4 --scale 1 -f -o m.h5
tdiff m.h5:/y t.h5:/decoder/0/cross_attn/output
