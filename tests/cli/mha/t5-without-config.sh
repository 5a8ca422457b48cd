# Without config.json, T5's names say that scores are not scaled, and a table of biases that lies with another layer is
# asked for: the layers of T5 and MPNet are those of transformer-run, or stop.
models=$CONFORMANCE/models
mkdir t5 mpnet
cp "$models/t5/model.safetensors" t5
cp "$models/families/mpnet/model.safetensors" mpnet
transformer-run -m "$models/t5" --ids 1x9xi64=7,8,9,10,11,12,7,8,9 --decoder-ids 1x7xi64=0,8,9,10,11,12,7 \
  --trace t.h5 -o y.h5
for stack in encoder decoder; do
  [ $stack = encoder ] && causal='' || causal=--causal
  for layer in 0 1; do
    w=t5/model.safetensors:/$stack.block.$layer.layer.0.SelfAttention
    table=t5/model.safetensors:/$stack.block.0.layer.0.SelfAttention.relative_attention_bias.weight
    x=t.h5:/$stack/$layer/norm1 y=t.h5:/$stack/$layer/self_attn/output
    [ $layer = 0 ] || ! mha $x -w $w --heads 4 $causal -f -o m.h5 || echo "$stack: no error"
    [ $layer = 0 ] && bias='' || bias="--t5-bias $table"
    mha $x -w $w --heads 4 $causal $bias --t5-max-distance 20 -f -o m.h5
    tdiff m.h5:/y $y || echo "$stack $layer differs"
    mha --stage project $x -w $w --heads 4 |
      mha --stage attend -w $w $causal $bias --t5-max-distance 20 | mha --stage merge -w $w --heads 4 -f -o m.h5
    tdiff m.h5 $y || echo "$stack $layer differs in stages"
  done
done
mha t.h5:/encoder/1/norm1 -w t5/model.safetensors:/encoder.block.1.layer.0.SelfAttention --heads 4 \
  --bias 1x4x1x1xf32=0 -f -o m.h5
mha t.h5:/decoder/0/norm2 --memory t.h5:/encoder/output \
  -w t5/model.safetensors:/decoder.block.0.layer.1.EncDecAttention --heads 4 -f -o m.h5
tdiff m.h5:/y t.h5:/decoder/0/cross_attn/output

transformer-run -m "$models/families/mpnet" --ids 1x9xi64=7,8,9,10,11,12,7,8,9 --trace p.h5 -f -o y.h5
w=mpnet/model.safetensors
layer=$(tconv --list $w | grep -o '[a-z.]*encoder.layer.0.attention.attn' | head -n 1)
table=$(tconv --list $w | grep -o '[a-z.]*relative_attention_bias.weight')
heads=$(sed -n 's/.*"num_attention_heads": \([0-9]*\).*/\1/p' "$models/families/mpnet/config.json")
mha p.h5:/encoder/input -w "$w:/$layer" --heads "$heads" -f -o m.h5 || echo $?
mha p.h5:/encoder/input -w "$w:/$layer" --heads "$heads" --t5-bias "$w:/$table" -f -o m.h5
tdiff m.h5:/y p.h5:/encoder/0/self_attn/output
