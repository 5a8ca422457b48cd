# Without config.json, a tensor below the prefix that is not read is refused by name. What is a stage of its own, or is
# replaced by an option, need not be read.
. "$SUPPORT/try.sh"
tconv linspace=-1,1,24 --reshape 2,3,4 -o x.h5
weights() { # OPERAND...: a file with attention and a network, and ones with these names and shapes beside them
  rm -f w.h5
  for map in q_proj k_proj v_proj o_proj; do tconv linspace=-1,1,16 --reshape 4,4 -A -o w.h5:/layer/attn/$map.weight; done
  for map in mlp/fc1 mlp/fc2 linear1 linear2; do tconv linspace=-1,1,16 --reshape 4,4 -A -o w.h5:/layer/$map.weight; done
  for operand; do tconv "${operand#*:}" -A -o "w.h5:/layer/${operand%%:*}"; done
}
attention() {
  try mha x.h5 -w w.h5:/layer/attn --heads 2 "$@" --stats -f -o y.h5
}
network() {
  try ffn x.h5 -w w.h5:/layer/mlp "$@" --stats -f -o y.h5
}
: >y.h5
weights
attention
network --activation relu
for name in attn/gate_proj.weight attn/ls1.gamma attn/sub_norm.weight attn/inner_attn_ln.bias attn/gamma \
  attn/q_proj.lora_A.weight attn/rotary_emb.inv_freq attn/a.b.c; do
  weights "$name:4xf64=1,2,3,4"
  attention
done
weights attn/rotary_emb.inv_freq:1xf64=1
attention --rotary
weights attn/layer_norm.weight:4xf64=1,2,3,4 mlp/ffn_sub_norm.weight:4xf64=1,2,3,4
attention
network --activation relu
# The prefix of a layer, whose network lies beside its attention.
try ffn x.h5 -w w.h5:/layer --activation relu -f -o y.h5
