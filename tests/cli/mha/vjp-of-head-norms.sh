# Norms of queries and keys (Qwen3; Gemma 3, with a gain of 1 + weight) have gradients, under the names of the file: of
# the whole, of the stage that projects, and as differences say.
families=$CONFORMANCE/models/families
posenc --length 5 --dim 16 --base 5 -o x.h5
for family in qwen3 gemma3-text; do
  w=$families/$family/model.safetensors:/model.layers.0.self_attn
  for options in --causal '--stage project'; do
    mha x.h5 -w $w $options --check-grad 3 >checked
    awk '/_norm/ { print $1, ($2 < 1e-6) }' checked
  done
  mha x.h5 -w $w --causal --vjp x.h5 -f -o whole.h5
  mha --stage project x.h5 -w $w -f -o qkv.h5
  mha --stage attend qkv.h5 -w $w --causal -f -o heads.h5
  mha --stage merge heads.h5 -w $w --vjp x.h5 -f -o dheads.h5
  mha --stage attend qkv.h5 -w $w --causal --vjp dheads.h5:/dx -f -o dqkv.h5
  for part in q k v; do tconv dqkv.h5:/d$part -A -o $family.h5:/d/$part; done
  mha --stage project x.h5 -w $w --vjp $family.h5:/d -f -o stages.h5
  for norm in q_norm k_norm; do
    tdiff whole.h5:/d/model.layers.0.self_attn.$norm.weight stages.h5:/d/model.layers.0.self_attn.$norm.weight
  done
done
