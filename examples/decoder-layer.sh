#!/bin/sh
# A decoder layer as a pipeline: examples/decoder-layer.sh WEIGHTS:/PREFIX MEMORY <x.h5 >y.h5
# The same with a mask that hides later tokens, and attention over the encoder's output in between: figure 1, right.
set -eu
layer=${1?give WEIGHTS:/PREFIX and MEMORY} memory=${2?give MEMORY too}
mha -w "$layer.self_attn" --causal --keep-input | addnorm -w "$layer.norm1" |
  mha -w "$layer.multihead_attn" --memory "$memory" --keep-input | addnorm -w "$layer.norm2" |
  ffn -w "$layer" --keep-input | addnorm -w "$layer.norm3"
