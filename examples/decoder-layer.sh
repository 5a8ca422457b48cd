#!/bin/sh
# A decoder layer as a pipeline: examples/decoder-layer.sh WEIGHTS:/PREFIX MEMORY <x.h5 >y.h5
# The same with a mask that hides later tokens, and attention over the encoder's output in between: figure 1, right.
set -eu
mha -w "$1.self_attn" --causal --keep-input | addnorm -w "$1.norm1" |
  mha -w "$1.multihead_attn" --memory "$2" --keep-input | addnorm -w "$1.norm2" |
  ffn -w "$1" --keep-input | addnorm -w "$1.norm3"
