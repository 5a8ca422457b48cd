#!/bin/sh
# An encoder layer as a pipeline: examples/encoder-layer.sh WEIGHTS:/PREFIX <x.h5 >y.h5
# x = norm(x + self-attention(x)); x = norm(x + feed-forward(x))           Vaswani et al. 2017, figure 1, left
set -eu
layer=${1?give WEIGHTS:/PREFIX}
mha -w "$layer.self_attn" --keep-input | addnorm -w "$layer.norm1" |
  ffn -w "$layer" --keep-input | addnorm -w "$layer.norm2"
