#!/bin/sh
# Which characters of "3 mars 2021" the decoder looks at for each character of 2021-03-03: the cross-attention of its
# last layer, a panel for each head. examples/attention.sh [PICTURE]
set -eu
model=$(dirname "$0")/dates picture=${1-attention.png} maps=$(mktemp -d)
trap 'rm -rf "$maps"' EXIT
transformer-run -m "$model" --emit cross_attentions --layers -1 -o "$maps/maps.h5" "3 mars 2021"
tplot "$maps/maps.h5:/cross_attentions/1[0]" --row-labels "str=2,0,2,1,-,0,3,-,0,3,end" \
  --column-labels "str=3,_,m,a,r,s,_,2,0,2,1,end" --xlabel "3 mars 2021" --ylabel "2021-03-03" \
  --title "cross-attention, layer 2" --size 1200x900 -f -o "$picture"
