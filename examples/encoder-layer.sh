#!/bin/sh
# An encoder layer as a pipeline: examples/encoder-layer.sh WEIGHTS:/PREFIX <x.h5 >y.h5
# x = norm(x + self-attention(x)); x = norm(x + feed-forward(x))           Vaswani et al. 2017, figure 1, left
set -eu
mha -w "$1.self_attn" --keep-input | addnorm -w "$1.norm1" |
  ffn -w "$1" --keep-input | addnorm -w "$1.norm2"
