#!/bin/sh
# Porting a layer from PyTorch: every stage of an nn.TransformerEncoderLayer, compared with the tensor that PyTorch has
# at that place, so that a wrong weight or option shows at the first stage that differs. examples/from-pytorch.sh [FILE]
# FILE comes from from-pytorch.py; its datasets are the weights below /layer, the input x, and a tensor for each stage.
set -eu
file=${1-$(dirname "$0")/from-pytorch.h5}
layer=$file:/layer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Both sides are f32 and add 16 or 32 products in another order: they differ by a few units of the last place.
same() { # TENSOR NAME
  tdiff "$1" "$file:/$2" --rtol 1e-5 --atol 1e-6
  echo "$2: as in PyTorch"
}

mha --stage project "$file:/x" -w "$layer/self_attn" --heads 4 -o "$work/projected.h5"
for name in q k v; do same "$work/projected.h5:/$name" $name; done
mha --stage attend "$work/projected.h5" --emit weights -o "$work/heads.h5"
same "$work/heads.h5:/weights" weights
mha --stage merge "$work/heads.h5:/y" -w "$layer/self_attn" -o "$work/attended.h5"
same "$work/attended.h5" attended
addnorm "$work/attended.h5" --residual "$file:/x" -w "$layer/norm1" -o "$work/norm1.h5"
same "$work/norm1.h5" norm1
ffn "$work/norm1.h5" -w "$layer" -o "$work/fed.h5"
same "$work/fed.h5" fed
addnorm "$work/fed.h5" --residual "$work/norm1.h5" -w "$layer/norm2" -o "$work/y.h5"
same "$work/y.h5" y

# The same layer as one pipeline.
mha "$file:/x" -w "$layer/self_attn" --heads 4 --keep-input | addnorm -w "$layer/norm1" |
  ffn -w "$layer" --keep-input | addnorm -w "$layer/norm2" | tdiff - "$work/y.h5"
echo "the pipeline: the same bits"
