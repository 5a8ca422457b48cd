# Integers of which some are negative are added to the scores, like floats, whatever part of the mask a run reads.
# Unsigned integers and integers that are not negative exclude where they are 0.
. "$SUPPORT/try.sh"
cp "$FIXTURES/layers/layers.h5" .
posenc --length 12 --dim 8 --base 20 -o x.h5
tconv x.h5 --reshape 2,6,8 -o b.h5
low=-100
tconv 6x6xf64=0,0,0,0,0,0,0,0,0,0,0,0,0,$low,0,$low,0,0,0,0,0,0,$low,$low,$low,0,0,0,0,0,0,0,0,3,0,0 -o square.h5
tconv 2x6xf64=0,0,0,0,0,0,0,0,0,$low,$low,$low -o padding.h5

# Each way to read a mask: RUN MASK writes y.h5.
pool() { attend b.h5 --mask "$@" --emit weights -f -o y.h5; }
pool_reference() { pool "$@" --engine reference; }
weigh() { softmax b.h5:/y[:,:,:6] --mask "$@" -f -o y.h5; }
weigh_reference() { weigh "$@" --engine reference; }
heads() { mha b.h5 -w layers.h5:/self_attn --heads 2 --mask "$@" -f -o y.h5; }
heads_reference() { heads "$@" --engine reference; }
pads() { mha b.h5 -w layers.h5:/self_attn --heads 2 --padding-mask "$@" -f -o y.h5; }
in_blocks() { attend b.h5 --mask "$@" --max-memory 100k -f -o y.h5; }
gradients() { attend b.h5 --mask "$@" --vjp b.h5 -f -o y.h5; }
in_shards() { # of which the first looks boolean
  for i in 1 2 3; do attend b.h5 --mask "$1" --shard $i/3 -f -o part-$i.h5; done
  tmerge part-?.h5 -f -o y.h5
}
in_state() {
  attend b.h5 --mask "$1" --shard 1/1 --emit state -f -o part.h5
  tmerge part.h5 -f -o y.h5
}
first_row() { attend -q 'x.h5[:1]' -k 'x.h5[:6]' -v 'x.h5[:6]' --mask "$1[:1]" -f -o y.h5; }
weigh_first_row() { softmax 'b.h5:/y[0,:1,:6]' --mask "$1[:1]" -f -o y.h5; }

# shellcheck disable=SC2086
same() { # RUN MASK MASK: the two masks, with options, give the same bits
  $1 $2
  mv y.h5 one.h5
  $1 $3
  tdiff one.h5 y.h5 --ulp 0 --quiet || echo "differs: $*"
}

for type in i8 i16 i32 i64; do
  for mask in square padding; do tconv $mask.h5 --dtype $type -o $mask-$type.h5; done
  for run in pool pool_reference weigh weigh_reference heads heads_reference in_blocks gradients in_shards in_state \
    first_row weigh_first_row; do
    for mask in square padding; do same $run $mask.h5 $mask-$type.h5; done
  done
  same pads padding.h5 padding-$type.h5
  # None is negative.
  tconv 2x6x$type=1,2,1,1,0,0,1,0,1,3,0,1 -o positive-$type.h5
  same pool 2x6xbool=1,1,1,1,0,0,1,0,1,1,0,1 positive-$type.h5
  same pool 2x6xbool=0,0,0,0,1,1,0,1,0,0,1,0 "positive-$type.h5 --mask-invert"
done
same pool 2x6xbool=0,0,0,0,0,0,0,0,0,1,1,1 "padding-i64.h5 --mask-type boolean"
try pool padding-i64.h5 --mask-invert

# 0 and -1 may mean either.
tconv 2x6xi8=-1,-1,-1,0,0,0,-1,-1,-1,-1,-1,-1 -o true.h5
same pool 2x6xbool=1,1,1,0,0,0,1,1,1,1,1,1 "true.h5 --mask-type boolean"
try pool true.h5
try pads true.h5
try weigh true.h5
# A model does not add its attention mask.
ln -s "$CONFORMANCE/models/bert" .
try transformer-run -m bert --ids 2x6xi64=5,6,7,8,9,3,5,6,7,8,9,3 --attention-mask padding-i64.h5 -f -o y.h5
