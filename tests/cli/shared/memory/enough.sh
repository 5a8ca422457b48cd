# An ample limit changes no bit; one that the inputs alone exceed, or the result, is refused, and nothing is written.
tconv linspace=-1,1,200000 --reshape 400,500 --dtype f32 -o x.h5:/x
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -o w.h5:/weight
tconv linspace=-1,1,250000 --reshape 500,500 --dtype f32 -o ffn.h5:/linear1/weight
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -A -o ffn.h5:/linear2/weight
tconv linspace=-1,1,750000 --reshape 1500,500 --dtype f32 -o mha.h5:/in_proj_weight
tconv linspace=1,-1,250000 --reshape 500,500 --dtype f32 -A -o mha.h5:/out_proj/weight
check() { # BYTES COMMAND...: of inputs and results at the least
  least=$1
  shift
  "$@" --no-history -f -o free.h5
  "$@" --no-history -f -o y.h5 --max-memory $((6 * least)) || echo "$*: $((6 * least)) bytes are not enough"
  cmp free.h5 y.h5
  rm y.h5
  code=0
  "$@" -o y.h5 --max-memory $((least - 1)) 2>errors || code=$?
  [ $code -eq 71 ] || echo "$*: exit code $code"
  grep -q 'needs .* bytes.* are allowed' errors || echo "$*: $(cat errors)"
  [ ! -e y.h5 ] || echo "$*: wrote"
}
# By blocks of rows less is enough than the input has, or the result.
flows() { # BYTES COMMAND...
  most=$1
  shift
  "$@" --no-history -f -o free.h5
  "$@" --no-history -f -o y.h5 --max-memory "$most" || echo "$*: $most bytes are not enough"
  cmp free.h5 y.h5
  rm y.h5
}
check 1000000 linear x.h5 -w w.h5
check 1000000 embed --logits x.h5 -w w.h5
check 2000000 ffn x.h5 -w ffn.h5
check 5600000 mha x.h5 -w mha.h5 --heads 5
check 1600000 softmax x.h5 --axis 0
flows 900000 softmax x.h5 --keep-input
check 1600000 tconv x.h5 --transpose --reshape 100,-1
check 3600000 tconv x.h5 --concat 1 x.h5:/x w.h5[:400] --rename x=y
check 2400000 tconv x.h5 --stack 0 x.h5:/x
flows 500000 posenc x.h5
flows 500000 softmax x.h5
flows 500000 addnorm x.h5 --no-residual
flows 900000 addnorm x.h5 --residual x.h5
flows 500000 tconv x.h5
flows 500000 tconv x.h5 --dtype f16
flows 1300000 tconv x.h5 --check w.h5:/weight[:400] --rtol 1e9
