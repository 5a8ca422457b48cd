#!/bin/sh
# Which characters of "3 mars 2021" the decoder looks at for each character of 2021-03-03: the cross-attention of its
# last layer, a panel for each head. examples/attention.sh [PICTURE]
set -eu
model=$(dirname "$0")/dates picture=${1-attention.png}
transformer-run -m "$model" --emit cross_attentions --emit-layers -1 "3 mars 2021" |
  tplot "-:/cross_attentions/1[0]" --row-labels -:/decoder_tokens --column-labels -:/tokens \
    --xlabel "3 mars 2021" --ylabel "what the decoder has read" --title "cross-attention, layer 2" --size 1200x900 \
    -f -o "$picture"
